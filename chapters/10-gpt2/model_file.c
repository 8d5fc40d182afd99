/* A model on the disk: see model_file.h. */
#include "10-gpt2/model_file.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "checkpoints/directory.h"
#include "files/json.h"

void file_tensor_die(const FileTensor *tensor, const char *format, ...) {
    enum { MOST_OF_A_NAME = 80 };
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    die("file '%s': tensor '%s': %s", tensor->file,
        printable(tensor->name, MOST_OF_A_NAME).text, text);
}

void model_file_die_architecture(const ModelFile *file, const char *expected) {
    die("file '%s%s': %s is '%s', expected %s", file->path,
        file->gguf ? "" : "/config.json",
        file->gguf ? "key 'general.architecture'" : "\"model_type\"",
        file->architecture, expected);
}

/* --- opening --- */

static void add_tensor(ModelFile *file, const FileTensor *tensor) {
    file->tensors =
        checked_realloc(file->tensors, file->n_tensors + 1, sizeof *file->tensors);
    file->tensors[file->n_tensors++] = *tensor;
}

static void open_gguf(ModelFile *file) {
    file->gguf = gguf_open(file->path);
    GgufText name = gguf_text(file->gguf, "general.architecture");
    file->architecture = checked_alloc(name.bytes + 1, 1);
    if (name.bytes) memcpy(file->architecture, name.text, name.bytes);
    for (size_t i = 0; i < file->gguf->n_tensors; i++) {
        const GgufTensor *x = &file->gguf->tensors[i];
        add_tensor(file, &(FileTensor){.name = x->name,
                                       .file = file->path,
                                       .type = x->type->name,
                                       .ndim = x->ndim,
                                       .shape = x->shape,
                                       .weight = gguf_weight(x)});
    }
}

/* Opens the directory's file of that name unless it is open, and returns its number. */
static size_t open_safetensors(ModelFile *file, const char *name) {
    char *path = path_join(file->path, name);
    size_t i = 0;
    while (i < file->n_files && strcmp(file->files[i].path, path) != 0) i++;
    if (i == file->n_files) {
        file->files = checked_realloc(file->files, i + 1, sizeof *file->files);
        file->files[file->n_files++] = safetensors_open(path);
    }
    free(path);
    return i;
}

/* The shards of model.safetensors.index.json: "weight_map" names the file of each
 * tensor. */
static void open_shards(ModelFile *file, const char *index) {
    cJSON *object = json_read_object(index);
    const cJSON *map = cJSON_GetObjectItemCaseSensitive(object, "weight_map"), *entry;
    if (!cJSON_IsObject(map)) die("file '%s': \"weight_map\" is not an object", index);
    cJSON_ArrayForEach(entry, map) {
        if (!cJSON_IsString(entry))
            die("file '%s': tensor '%s': its file is not a string", index,
                entry->string);
        const char *name = entry->valuestring;
        if (!*name || strchr(name, '/'))
            die("file '%s': tensor '%s': '%s' is not the name of a file beside it",
                index, entry->string, name);
        size_t i = open_safetensors(file, name);
        if (!safetensors_find(&file->files[i], entry->string))
            die("file '%s': tensor '%s' is not in '%s'", index, entry->string, name);
    }
    if (!file->n_files) die("file '%s': \"weight_map\" is empty", index);
    cJSON_Delete(object);
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* A directory without the file that is needed: a line on a model of another form that
 * is there ends the program. */
static void refuse_other_forms(const char *path, const char *needed) {
    static const struct {
        const char *end, *advice;
    } forms[] = {
        {".gguf", "give the path of that file"},
        {"pytorch_model.bin", "transformers' from_pretrained and save_pretrained make "
                              "model.safetensors of it"},
        {"pytorch_model.bin.index.json",
         "transformers' from_pretrained and "
         "save_pretrained make model.safetensors of it"},
        {".safetensors",
         "is its name model.safetensors, or does it belong to an index?"},
    };
    char *file = path_join(path, needed);
    bool there = access(file, F_OK) == 0;
    free(file);
    DIR *directory = there ? NULL : opendir(path);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            if (ends_with(entry->d_name, forms[i].end))
                die("directory '%s': has no %s, but '%s': %s", path, needed,
                    printable(entry->d_name, 80).text, forms[i].advice);
        }
    }
    closedir(directory);
}

static void open_weights(ModelFile *file) {
    char *single = path_join(file->path, "model.safetensors"),
         *index = path_join(file->path, "model.safetensors.index.json");
    if (access(index, F_OK) != 0) refuse_other_forms(file->path, "model.safetensors");
    if (access(single, F_OK) == 0 || access(index, F_OK) != 0)
        open_safetensors(file, "model.safetensors");
    else
        open_shards(file, index);
    free(single);
    free(index);
}

static const WeightType *type_of(Dtype dtype) {
    return dtype == DTYPE_F32    ? &weight_f32
           : dtype == DTYPE_F16  ? &weight_f16
           : dtype == DTYPE_BF16 ? &weight_bf16
           : dtype == DTYPE_F64  ? &weight_f64
                                 : NULL;
}

static const char *without_prefix(const char *name) {
    static const char prefix[] = "transformer.";
    size_t n = sizeof prefix - 1;
    return strncmp(name, prefix, n) == 0 ? name + n : name;
}

static void add_safetensors(ModelFile *file, const SafeTensors *from) {
    for (size_t i = 0; i < from->count; i++) {
        const SafeTensor *x = &from->tensors[i];
        size_t cols = x->ndim ? x->shape[x->ndim - 1] : 1;
        add_tensor(file, &(FileTensor){.name = without_prefix(x->name),
                                       .file = x->file,
                                       .type = dtype_name(x->dtype),
                                       .ndim = x->ndim,
                                       .shape = x->shape,
                                       .weight = {.type = type_of(x->dtype),
                                                  .data = x->data,
                                                  .rows = cols ? x->size / cols : 0,
                                                  .cols = cols}});
    }
}

static void open_directory(ModelFile *file) {
    refuse_other_forms(file->path, "config.json");
    char *path = path_join(file->path, "config.json");
    cJSON *config = json_read_object(path);
    file->architecture = checked_strdup(json_text(config, path, "model_type", "gpt2"));
    cJSON_Delete(config);
    free(path);
    open_weights(file);
    for (size_t i = 0; i < file->n_files; i++) add_safetensors(file, &file->files[i]);
}

ModelFile *model_file_open(const char *path) {
    ModelFile *file = checked_alloc(1, sizeof *file);
    file->path = checked_strdup(path);
    struct stat status;
    if (gguf_is_file(path)) {
        open_gguf(file);
        return file;
    }
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        char start[64] = {0};
        FILE *f = fopen(path, "rb");
        size_t n = f ? fread(start, 1, sizeof start, f) : 0;
        if (f) fclose(f);
        file_expect_content(path, start, n, false);
    }
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        die("'%s': expected a GGUF file, or a directory with config.json and "
            "model.safetensors",
            path);
    directory_finish(path);
    open_directory(file);
    return file;
}

void model_file_close(ModelFile *file) {
    if (!file) return;
    gguf_close(file->gguf);
    for (size_t i = 0; i < file->n_files; i++) safetensors_close(&file->files[i]);
    free(file->files);
    free(file->tensors);
    free(file->architecture);
    free(file->missing);
    free(file->path);
    free(file);
}

/* --- tensors --- */

static const char *kind_of(const ModelFile *file) {
    return file->gguf ? "file" : "directory";
}

void model_file_expect_layers(ModelFile *file, size_t n_layer) {
    file->n_layer = n_layer;
    if (n_layer > file->n_tensors)
        die("%s '%s': has %zu tensors, the config asks for %zu layers", kind_of(file),
            file->path, file->n_tensors, n_layer);
}

const FileTensor *model_file_find(ModelFile *file, const char *name) {
    FileTensor *found = NULL;
    for (size_t i = 0; i < file->n_tensors; i++) {
        FileTensor *t = &file->tensors[i];
        if (strcmp(t->name, name) != 0) continue;
        if (found)
            file_tensor_die(t, "it is there twice; the other one is in '%s'",
                            found->file);
        found = t;
        found->used = true;
    }
    return found;
}

enum { SHAPE_TEXT = 24 * SAFETENSORS_MAX_NDIM };

static const char *shape_text(char text[SHAPE_TEXT], int ndim, const size_t *shape) {
    int used = 0;
    for (int i = 0; i < ndim; i++)
        used += sprintf(text + used, "%s%zu", i ? ", " : "", shape[i]);
    text[used] = 0;
    return text;
}

Weight model_file_weight(ModelFile *file, const char *name, const Tensor *wanted,
                         bool transposed) {
    const FileTensor *t = model_file_find(file, name);
    if (!t) {
        if (!file->missing) file->missing = checked_strdup(name);
        return (Weight){0};
    }
    int n = wanted->ndim;
    size_t shape[TENSOR_MAX_NDIM];
    for (int i = 0; i < n; i++) shape[i] = wanted->shape[transposed ? n - 1 - i : i];
    char got[SHAPE_TEXT], asked[SHAPE_TEXT];
    if (t->ndim != n || memcmp(t->shape, shape, (size_t)n * sizeof *shape) != 0)
        file_tensor_die(t, "its shape is [%s], the config asks for [%s]",
                        shape_text(got, t->ndim, t->shape),
                        shape_text(asked, n, shape));
    if (!t->weight.type)
        file_tensor_die(t, "is %s, expected F32, F16, BF16 or F64", t->type);
    return transposed ? weight_transpose(&t->weight) : t->weight;
}

//> constants
/* Older files hold the causal masks, and the frequencies of rotary positions. The
 * leading dot matters: "c_attn.bias" is a weight. */
static bool is_constant(const char *name) {
    static const char *const ends[] = {".attn.bias", ".attn.masked_bias",
                                       ".rotary_emb.inv_freq", "rope_freqs.weight"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (ends_with(name, ends[i])) return true;
    }
    return false;
}
//< constants

void model_file_expect_complete(const ModelFile *file) {
    for (size_t i = 0; i < file->n_tensors; i++) {
        const FileTensor *t = &file->tensors[i];
        if (!t->used && !is_constant(t->name))
            file_tensor_die(t, "a model of %zu layers has no such tensor",
                            file->n_layer);
    }
    if (file->missing)
        die("%s '%s': tensor '%s' is missing; the config asks for %zu layers",
            kind_of(file), file->path, file->missing, file->n_layer);
}

static void expect_finite(const FileTensor *t) {
    const Weight *w = &t->weight;
    float *row = checked_alloc(w->cols, sizeof *row);
    for (size_t r = 0; r < w->rows; r++) {
        weight_row(row, w, r);
        for (size_t c = 0; c < w->cols; c++) {
            if (!isfinite(row[c]))
                file_tensor_die(t, "its number %zu is %f, expected a finite one",
                                r * w->cols + c, (double)row[c]);
        }
    }
    free(row);
}

void model_file_expect_finite(const ModelFile *file) {
    for (size_t i = 0; i < file->n_tensors; i++) {
        if (file->tensors[i].used) expect_finite(&file->tensors[i]);
    }
}
