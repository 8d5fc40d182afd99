/* Coded models in files: see coded_model.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "14-compression/coded_model.h"
#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"

/* --- loading a directory --- */

/* "NAME.TYPE" -> its type, where NAME is this parameter's. */
static const WeightType *type_in_name(const SafeTensor *t, const Param *param) {
    size_t n = strlen(param->name);
    if (strncmp(t->name, param->name, n) != 0 || t->name[n] != '.') return NULL;
    return codec_type(t->name + n + 1);
}

static void store_coded(Param *param, const SafeTensor *from, const WeightType *type) {
    const Tensor *x = param->tensor;
    bool turned = gguf_is_transposed(param);
    if (x->ndim != 2 || from->dtype != DTYPE_U8 || from->ndim != 1)
        safetensors_die(from, "is no list of U8 in the place of a matrix");
    Weight w = {.type = type,
                .data = from->data,
                .rows = x->shape[turned ? 1 : 0],
                .cols = x->shape[turned ? 0 : 1]};
    codec_expect(&w, from->bytes, from->file, from->name);
    if (turned) w = weight_transpose(&w);
    params_store(param, &w);
}

static void map_floats(Param *param, const SafeTensor *from) {
    const Tensor *x = param->tensor;
    bool same = from->ndim == x->ndim && from->dtype == DTYPE_F32;
    for (int i = 0; same && i < x->ndim; i++) same = from->shape[i] == x->shape[i];
    char text[TENSOR_SHAPE_TEXT];
    if (!same)
        safetensors_die(from, "is not F32 %s, which the config asks for",
                        tensor_shape_text(x, text));
    safetensors_to_float(params_own(param), from);
}

/* Gives the parameter its numbers; false if the tensor is not this parameter's. */
static bool load_param(Param *param, const SafeTensor *from) {
    const WeightType *type = type_in_name(from, param);
    bool floats = strcmp(from->name, param->name) == 0;
    if (!type && !floats) return false;
    if (param->tensor->data || param->tensor->stored)
        safetensors_die(from, "'%s' is there twice", param->name);
    if (type)
        store_coded(param, from, type);
    else
        map_floats(param, from);
    return true;
}

static Gpt2 *load_directory(const char *path, SafeTensors *file) {
    Gpt2Config config = gpt2_read_config(path);
    if (config.n_layer > file->count)
        die("file '%s': has %zu tensors, the config asks for %zu layers", file->path,
            file->count, config.n_layer);
    Gpt2 *model = gpt2_create(&config, PARAMS_MAPPED, NULL);
    Params *params = &model->params;
    for (size_t t = 0; t < file->count; t++) {
        size_t i = 0;
        while (i < params->n && !load_param(&params->items[i], &file->tensors[t])) i++;
        if (i == params->n)
            safetensors_die(&file->tensors[t],
                            "a GPT-2 of %zu layers has no such tensor", config.n_layer);
    }
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        if (!x->data && !x->stored)
            die("file '%s': tensor '%s' is missing", file->path, params->items[i].name);
    }
    model->files = checked_alloc(1, sizeof *model->files);
    model->files[0] = *file;
    model->n_files = 1;
    return model;
}

/* A directory is coded if one of its tensors is named like a type. */
static bool is_coded_file(const SafeTensors *file) {
    for (size_t t = 0; t < file->count; t++) {
        const char *dot = strrchr(file->tensors[t].name, '.');
        if (dot && codec_type(dot + 1)) return true;
    }
    return false;
}

/* The file that a coded directory has its weights in; shards are gpt2_load's. */
static bool open_file(SafeTensors *file, const char *path) {
    if (gguf_is_file(path)) return false;
    directory_finish(path); /* before looking what is there */
    char *name = path_join(path, "model.safetensors");
    bool is_there = access(name, R_OK) == 0;
    if (is_there) *file = safetensors_open(name);
    free(name);
    return is_there;
}

bool coded_model_is(const char *path) {
    SafeTensors file;
    if (!open_file(&file, path)) return false;
    bool is = is_coded_file(&file);
    safetensors_close(&file);
    return is;
}

Gpt2 *coded_model_load(const char *path) {
    SafeTensors file;
    if (!coded_model_is(path)) return gpt2_load(path, PARAMS_MAPPED);
    open_file(&file, path);
    return load_directory(path, &file);
}
