/* The weights of a directory: see weight_files.h. */
#include "10-gpt2/weight_files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/json.h"

/* Opens directory/name unless it is open, and returns its number. */
static size_t add_file(WeightFiles *files, const char *directory, const char *name) {
    char *path = path_join(directory, name);
    size_t i = 0;
    while (i < files->n && strcmp(files->files[i].path, path) != 0) i++;
    if (i == files->n) {
        files->files =
            checked_realloc(files->files, files->n + 1, sizeof *files->files);
        files->files[files->n++] = safetensors_open(path);
    }
    free(path);
    return i;
}

/* The shards of model.safetensors.index.json: "weight_map" names the file of each
 * tensor. */
static void add_shards(WeightFiles *files, const char *directory, const char *index) {
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
        size_t file = add_file(files, directory, name);
        if (!safetensors_find(&files->files[file], entry->string))
            die("file '%s': tensor '%s' is not in '%s'", index, entry->string, name);
    }
    if (!files->n) die("file '%s': \"weight_map\" is empty", index);
    cJSON_Delete(object);
}

WeightFiles weight_files_open(const char *directory) {
    WeightFiles files = {0};
    char *single = path_join(directory, "model.safetensors");
    char *index = path_join(directory, "model.safetensors.index.json");
    if (access(single, F_OK) == 0 || access(index, F_OK) != 0) {
        add_file(&files, directory, "model.safetensors");
    } else {
        add_shards(&files, directory, index);
    }
    free(single);
    free(index);
    return files;
}

void weight_files_close(WeightFiles *files) {
    for (size_t i = 0; i < files->n; i++) safetensors_close(&files->files[i]);
    free(files->files);
    *files = (WeightFiles){0};
}

const SafeTensor *weight_files_find(const WeightFiles *files, const char *name) {
    const SafeTensor *found = NULL;
    for (size_t i = 0; i < files->n; i++) {
        const SafeTensor *x = safetensors_find(&files->files[i], name);
        if (x && found)
            safetensors_die(x, "it is there twice; the other one is in '%s'",
                            found->file);
        if (x) found = x;
    }
    return found;
}

void weight_file_map(Param *param, const SafeTensor *from) {
    const WeightType *type = from->dtype == DTYPE_F16    ? &weight_f16
                             : from->dtype == DTYPE_BF16 ? &weight_bf16
                                                         : NULL;
    if (from->dtype == DTYPE_F32 && (uintptr_t)from->data % sizeof(float) == 0) {
        params_map(param, from->data);
    } else if (type && from->ndim == 2) {
        params_store(param, &(Weight){.type = type,
                                      .data = from->data,
                                      .rows = from->shape[0],
                                      .cols = from->shape[1]});
    } else {
        safetensors_to_float(params_own(param), from);
    }
}

void weight_file_expect(const SafeTensor *got, const Tensor *wanted) {
    bool same = got->ndim == wanted->ndim;
    for (int i = 0; same && i < wanted->ndim; i++)
        same = got->shape[i] == wanted->shape[i];
    if (!same) {
        char wanted_text[TENSOR_SHAPE_TEXT], got_text[SAFETENSORS_SHAPE_TEXT];
        safetensors_die(got, "its shape is %s, the config asks for %s",
                        safetensors_shape_text(got, got_text),
                        tensor_shape_text(wanted, wanted_text));
    }
    if (got->dtype != DTYPE_F32 && got->dtype != DTYPE_F16 &&
        got->dtype != DTYPE_BF16 && got->dtype != DTYPE_F64)
        safetensors_die(got, "is %s, expected F32, F16, BF16 or F64",
                        dtype_name(got->dtype));
}

void weight_file_expect_table(const SafeTensor *head, const Tensor *wte) {
    weight_file_expect(head, wte);
    Weight table = tensor_weight(wte);
    float *copy = checked_alloc(head->size, sizeof *copy),
          *row = checked_alloc(table.cols, sizeof *row);
    safetensors_to_float(copy, head);
    bool same = true;
    for (size_t r = 0; r < table.rows && same; r++) {
        weight_row(row, &table, r);
        same = memcmp(copy + r * table.cols, row, table.cols * sizeof *row) == 0;
    }
    free(copy);
    free(row);
    if (!same)
        safetensors_die(
            head, "it differs from wte.weight; a head of its own is not supported");
}
