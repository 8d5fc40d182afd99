/* A model laid out for writing: see gpt2_prepare in gpt2.h. */
#include "10-gpt2/gpt2.h"
#include "weights/panel_integers.h"
#include "weights/weight_packed.h"

/* Tables are read by rows, so they stay as they are. */
static bool is_matrix(const Gpt2 *model, const Tensor *x) {
    return x->ndim == 2 && x != model->wte && x != model->wpe && x != model->head_table;
}

/* A matrix [n_in, n_out] in panels, for many products x W of few x. Where panels cannot
 * hold what it is stored as, nothing changes. */
static void prepare_matrix(Gpt2 *model, Param *p) {
    Weight w = tensor_weight(p->tensor), outputs = weight_transpose(&w),
           panels = weight_pack(&outputs, &model->panels);
    if (!panels.type) return;
    outputs = weight_transpose(&panels);
    params_restore(p, &outputs);
}

/* The matrices from the first that is not done, until `bytes` are. */
static void prepare_matrices(Gpt2 *model, size_t bytes) {
    Params *params = &model->params;
    for (size_t done = 0; model->n_prepared < params->n && done < bytes;) {
        Param *p = &params->items[model->n_prepared++];
        if (!is_matrix(model, p->tensor)) continue;
        Weight w = tensor_weight(p->tensor);
        done += weight_bytes(&w);
        prepare_matrix(model, p);
    }
}

static void prepare_head(Gpt2 *model) {
    Weight head = model->head.type ? model->head : tensor_weight(model->head_table),
           panels = weight_pack(&head, NULL);
    if (!panels.type) return;
    model->head = panels;
    model->head_prepared = true;
}

bool gpt2_prepare_next(Gpt2 *model) {
    enum { PARTS = 16, AT_LEAST = 32 << 20 };
    size_t bytes = params_bytes(&model->params) / PARTS;
    if (model->n_prepared > model->params.n) return false;
    if (model->n_prepared < model->params.n) {
        prepare_matrices(model, bytes > AT_LEAST ? bytes : AT_LEAST);
    } else {
        prepare_head(model);
        model->n_prepared++;
    }
    return true;
}

void gpt2_prepare(Gpt2 *model) {
    while (gpt2_prepare_next(model)) {
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
