/* Loading LLaMA's family: see llama_load.h. */
#include "18-llama/llama_load.h"

#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "18-llama/llama_names.h"
#include "18-llama/permute_rope.h"
#include "base/memory.h"

static LlamaNames names_of(const ModelFile *file) {
    return file->gguf ? NAMES_GGUF : NAMES_HUGGINGFACE;
}

/* q, k or v in the file: a matrix with a row for each output, or a vector. */
typedef struct {
    Weight weight;
    size_t heads, head_dim;
    bool permuted; /* the rows are in GGUF's order (18/permute_rope) */
} Part;

/* False: one of them is missing. */
static bool find_qkv(Part parts[3], ModelFile *file, const AttentionConfig *attention,
                     const Param *param) {
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    llama_names(names, param->name, names_of(file));
    bool permuted = file->gguf && strcmp(file->architecture, "llama") == 0,
         matrix = param->tensor->ndim == 2;
    for (size_t i = 0; i < 3; i++) {
        Part *p = &parts[i];
        p->heads = i == 0 ? attention->n_head : attention_kv_heads(attention);
        p->head_dim = attention_head_dim(attention);
        p->permuted = permuted && i < 2;
        Tensor wanted = *param->tensor;
        wanted.shape[wanted.ndim - 1] = p->heads * p->head_dim;
        p->weight = model_file_weight(file, names[i], &wanted, matrix);
        if (!p->weight.type) return false;
        if (matrix) p->weight = weight_transpose(&p->weight);
    }
    return true;
}

/* The part's rows, in Hugging Face's order; returns where they end. */
static char *copy_rows(char *to, const Part *p, const void *rows, size_t row_bytes) {
    size_t bytes = p->heads * p->head_dim * row_bytes;
    if (p->permuted)
        rope_from_gguf(to, rows, p->heads, p->head_dim, row_bytes);
    else
        memcpy(to, rows, bytes);
    return to + bytes;
}

/* The same of the part as floats. */
static char *copy_floats(char *to, const Part *p, size_t row_bytes) {
    const Weight *w = &p->weight;
    float *floats = checked_alloc(w->rows * w->cols, sizeof *floats);
    weight_to_floats(floats, w);
    to = copy_rows(to, p, floats, row_bytes);
    free(floats);
    return to;
}

/* The parameter q | k | v in new memory: matrices as they are stored if all three are
 * of one type, else as floats. */
static Weight qkv_weight(ModelFile *file, const AttentionConfig *attention,
                         Param *param) {
    Part parts[3];
    if (!find_qkv(parts, file, attention, param)) return (Weight){0};
    const Tensor *x = param->tensor;
    const WeightType *type = parts[0].weight.type;
    bool matrix = x->ndim == 2, as_stored = matrix && parts[1].weight.type == type &&
                                            parts[2].weight.type == type;
    Weight all = {.type = as_stored ? type : &weight_f32,
                  .rows = tensor_cols(x),
                  .cols = matrix ? x->shape[0] : 1};
    size_t row_bytes = weight_bytes(&all) / all.rows;
    char *to = params_keep(param, size_mul(all.rows, row_bytes));
    all.data = to;
    for (const Part *p = parts; p < parts + 3; p++)
        to = as_stored ? copy_rows(to, p, p->weight.data, row_bytes)
                       : copy_floats(to, p, row_bytes);
    return matrix ? weight_transpose(&all) : weight_of_floats(all.data, 1, all.rows);
}

static Weight llama_weight(ModelFile *file, const Gpt2 *model, Param *param) {
    if (llama_is_qkv(param->name))
        return qkv_weight(file, &model->blocks[0].attn.config, param);
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    llama_names(names, param->name, names_of(file));
    return model_file_weight(file, names[0], param->tensor, gguf_is_transposed(param));
}

static Gpt2Config directory_config(const ModelFile *file) {
    return llama_read_config(file->path);
}

static Gpt2Config gguf_config(const ModelFile *file) {
    return llama_gguf_config(file->gguf);
}

static const ModelFormat *llama_format(const ModelFile *file) {
    static const ModelFormat directory = {directory_config, llama_weight,
                                          "lm_head.weight"},
                             gguf = {gguf_config, llama_weight, "output.weight"};
    return file->gguf ? &gguf : &directory;
}

Gpt2 *llama_load(const char *path, ParamsMode mode) {
    ModelFile *file = model_file_open(path);
    bool gpt2 = strcmp(file->architecture, "gpt2") == 0;
    return gpt2_load_file(file, gpt2 ? gpt2_format(file) : llama_format(file), mode);
}
