/* Tensors of either kind of file: see llama_file.h. */
#include "18-llama/llama_file.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

static const WeightType *type_of(const SafeTensor *x) {
    if (x->dtype == DTYPE_F32) return &weight_f32;
    if (x->dtype == DTYPE_F16) return &weight_f16;
    if (x->dtype == DTYPE_BF16) return &weight_bf16;
    safetensors_die(x, "is %s, expected F32, F16 or BF16", dtype_name(x->dtype));
}

static Weight weight_of(const SafeTensor *x) {
    bool matrix = x->ndim == 2;
    return (Weight){.type = type_of(x),
                    .data = x->data,
                    .rows = matrix ? x->shape[0] : 1,
                    .cols = matrix ? x->shape[1] : x->size};
}

bool llama_file_find(FileTensor *out, const LlamaFile *file, const char *name) {
    if (file->gguf) {
        const GgufTensor *x = gguf_find(file->gguf, name);
        if (x) *out = (FileTensor){x->ndim, gguf_weight(x), file->path};
        return x != NULL;
    }
    const SafeTensor *x = weight_files_find(&file->files, name);
    if (x) *out = (FileTensor){x->ndim, weight_of(x), x->file};
    return x != NULL;
}

void llama_file_die(const LlamaFile *file, const char *tensor, const char *format,
                    ...) {
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    die("%s '%s': tensor '%s': %s", file->gguf ? "file" : "directory", file->path,
        tensor, message);
}

const char *llama_file_name(const LlamaFile *file, size_t i) {
    if (file->gguf)
        return i < file->gguf->n_tensors ? file->gguf->tensors[i].name : NULL;
    for (size_t f = 0; f < file->files.n; f++) {
        if (i < file->files.files[f].count) return file->files.files[f].tensors[i].name;
        i -= file->files.files[f].count;
    }
    return NULL;
}
