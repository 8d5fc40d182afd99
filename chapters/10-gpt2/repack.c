/* Packed weights of a model: see gpt2_repack in gpt2.h. */
#include "10-gpt2/gpt2.h"
#include "weights/panel_integers.h"
#include "weights/weight_packed.h"

/* Tables are read by rows, so they stay as they are. */
static bool is_matrix(const Gpt2 *model, const Tensor *x) {
    return x->ndim == 2 && x != model->wte && x != model->wpe && x != model->head_table;
}

/* Packs a matrix [n_in, n_out], for many products x W of few x. A storage type that
 * cannot be packed stays as it is. */
static void repack_matrix(Gpt2 *model, Param *p) {
    Weight w = tensor_weight(p->tensor), outputs = weight_transpose(&w),
           packed = weight_pack(&outputs, &model->packed);
    if (!packed.type) return;
    outputs = weight_transpose(&packed);
    params_restore(p, &outputs);
}

/* The matrices from the first that is not done, until `bytes` are. */
static void repack_matrices(Gpt2 *model, size_t bytes) {
    Params *params = &model->params;
    for (size_t done = 0; model->n_repacked < params->n && done < bytes;) {
        Param *p = &params->items[model->n_repacked++];
        if (!is_matrix(model, p->tensor)) continue;
        Weight w = tensor_weight(p->tensor);
        done += weight_bytes(&w);
        repack_matrix(model, p);
    }
}

static void repack_head(Gpt2 *model) {
    Weight head = model->head.type ? model->head : tensor_weight(model->head_table),
           packed = weight_pack(&head, NULL);
    if (!packed.type) return;
    model->head = packed;
    model->head_repacked = true;
}

bool gpt2_repack_next(Gpt2 *model) {
    enum { PARTS = 16, AT_LEAST = 32 << 20 };
    size_t bytes = params_bytes(&model->params) / PARTS;
    if (model->n_repacked > model->params.n) return false;
    if (model->n_repacked < model->params.n) {
        repack_matrices(model, bytes > AT_LEAST ? bytes : AT_LEAST);
    } else {
        repack_head(model);
        model->n_repacked++;
    }
    return true;
}

void gpt2_repack(Gpt2 *model) {
    while (gpt2_repack_next(model)) {
    }
}

/* Tables change, too: one may be the head, and their rows are read as before. */
size_t gpt2_use_integers(Gpt2 *model) {
    size_t n = weight_use_integers(&model->head);
    for (size_t i = 0; i < model->params.n; i++) {
        const Weight *stored = model->params.items[i].tensor->stored;
        n += stored && weight_use_integers((Weight *)(uintptr_t)stored);
    }
    return n;
}
