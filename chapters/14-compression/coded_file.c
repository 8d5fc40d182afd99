/* Coded models in files: see coded_model.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "14-compression/coded_model.h"

/* --- loading a directory --- */

/* "NAME.TYPE" -> its type, where NAME is this parameter's. */
static const WeightType *type_in_name(const FileTensor *t, const Param *param) {
    size_t n = strlen(param->name);
    if (strncmp(t->name, param->name, n) != 0 || t->name[n] != '.') return NULL;
    return codec_type(t->name + n + 1);
}

static Weight coded_weight_of(const FileTensor *from, const WeightType *type,
                              const Param *param) {
    const Tensor *x = param->tensor;
    bool transposed = gguf_is_transposed(param);
    if (x->ndim != 2 || strcmp(from->type, "U8") != 0 || from->ndim != 1)
        file_tensor_die(from, "is no list of U8 in the place of a matrix");
    Weight w = {.type = type,
                .data = from->weight.data,
                .rows = x->shape[transposed ? 1 : 0],
                .cols = x->shape[transposed ? 0 : 1]};
    codec_expect(&w, from->shape[0], from->file, from->name);
    return transposed ? weight_transpose(&w) : w;
}

/* A parameter is there once: under its name, or coded. */
static Weight param_weight(ModelFile *file, const Gpt2 *model, Param *param) {
    const FileTensor *coded = NULL;
    for (size_t i = 0; i < file->n_tensors; i++) {
        const FileTensor *t = &file->tensors[i];
        if (!type_in_name(t, param)) continue;
        if (coded || model_file_find(file, param->name))
            file_tensor_die(t, "'%s' is there twice", param->name);
        coded = model_file_find(file, t->name);
    }
    return coded ? coded_weight_of(coded, type_in_name(coded, param), param)
                 : gpt2_format(file)->weight(file, model, param);
}

/* A directory is coded if one of its tensors is named like a type. It may be anything
 * else as well: a tokenizer's, or none at all. */
bool coded_model_is(const char *path) {
    if (gguf_is_file(path)) return false;
    directory_finish(path); /* before looking what is there */
    char *name = path_join(path, "model.safetensors");
    bool is = false;
    if (access(name, R_OK) == 0) {
        SafeTensors file = safetensors_open(name);
        for (size_t i = 0; i < file.count && !is; i++) {
            const char *dot = strrchr(file.tensors[i].name, '.');
            is = dot && codec_type(dot + 1);
        }
        safetensors_close(&file);
    }
    free(name);
    return is;
}

Gpt2 *coded_model_load(const char *path) {
    ModelFile *file = model_file_open(path);
    ModelFormat format = *gpt2_format(file);
    if (!file->gguf) format.weight = param_weight;
    return gpt2_load_file(file, &format, PARAMS_MAPPED);
}
