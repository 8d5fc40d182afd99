/* Parameters as files have them: see llama_split.h. */
#include "18-llama/llama_split.h"

#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gguf_model.h"
#include "18-llama/permute_rope.h"
#include "base/memory.h"

void *kept_alloc(Kept *kept, size_t bytes) {
    kept->blocks = checked_realloc(kept->blocks, kept->n + 1, sizeof *kept->blocks);
    return kept->blocks[kept->n++] = checked_alloc(bytes, 1);
}

void kept_free(Kept *kept) {
    for (size_t i = 0; i < kept->n; i++) free(kept->blocks[i]);
    free(kept->blocks);
    *kept = (Kept){0};
}

/* The matrix of a linear layer with a row for each output: as it is stored, or as
 * transposed floats. */
static Weight outputs(Kept *kept, const Tensor *x) {
    Weight w = tensor_weight(x), transposed = weight_transpose(&w);
    if (w.transposed) return transposed;
    float *floats = kept_alloc(kept, size_mul(tensor_size(x), sizeof *floats));
    weight_to_floats(floats, &transposed);
    return weight_of_floats(floats, transposed.rows, transposed.cols);
}

/* A parameter with a row for each output, to be split by rows: a vector is a column. */
static Weight rows_of(Kept *kept, const Param *param) {
    const Tensor *x = param->tensor;
    if (x->ndim == 1) return weight_of_floats(x->data, x->shape[0], 1);
    return gguf_is_transposed(param) ? outputs(kept, x) : tensor_weight(x);
}

static const void *permuted(Kept *kept, const void *rows, size_t n_head,
                            size_t head_dim, size_t row_bytes) {
    char *ordered = kept_alloc(kept, size_mul(n_head * head_dim, row_bytes));
    rope_to_gguf(ordered, rows, n_head, head_dim, row_bytes);
    return ordered;
}

size_t llama_split(Piece out[LLAMA_MOST_PARTS], Kept *kept, const Param *param,
                   const AttentionConfig *attention, LlamaNames format, bool permute) {
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    bool qkv = llama_is_qkv(param->name);
    Weight all = rows_of(kept, param);
    size_t n = llama_names(names, param->name, format), at = 0,
           row_bytes = weight_bytes(&all) / all.rows,
           head_dim = attention_head_dim(attention);
    for (size_t i = 0; i < n; i++) {
        size_t heads = i == 0 ? attention->n_head : attention_kv_heads(attention);
        Piece *piece = &out[i];
        *piece = (Piece){.ndim = param->tensor->ndim, .weight = all};
        memcpy(piece->name, names[i], sizeof piece->name);
        Weight *w = &piece->weight;
        if (qkv) w->rows = heads * head_dim;
        w->data = (const char *)all.data + at * row_bytes;
        if (qkv && permute && i < 2)
            w->data = permuted(kept, w->data, heads, head_dim, row_bytes);
        at += w->rows;
        if (piece->ndim == 1) *w = weight_of_floats(w->data, 1, w->rows);
    }
    return n;
}
