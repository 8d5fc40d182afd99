/* LoRA for a whole model: see adapters.h. */
#include "19-fine-tuning/adapters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* A matrix of a block; the tables of tokens and positions are none. */
static bool is_adapted(const Gpt2 *model, const Tensor *x) {
    return x->ndim == 2 && x != model->wte && x != model->wpe && x != model->head_table;
}

static Adapter adapter_create(Params *params, const Param *of, size_t rank, float scale,
                              Random *init) {
    Tensor *w = of->tensor;
    size_t n_in = w->shape[0], n_out = w->shape[1];
    if (rank > n_in || rank > n_out)
        die("rank %zu: '%s' is [%zu, %zu]; at most %zu", rank, of->name, n_in, n_out,
            n_in < n_out ? n_in : n_out);
    Adapter x = {.w = w, .shape = {n_in, n_out, rank, scale}};
    x.w0 = checked_alloc(n_in * n_out, sizeof *x.w0);
    memcpy(x.w0, w->data, n_in * n_out * sizeof *x.w0);
    params_push(params, "%s", of->name);
    x.a = params_add(params, 2, (size_t[]){n_in, rank}, "lora_a");
    x.b = params_add(params, 2, (size_t[]){rank, n_out}, "lora_b");
    params_pop(params);
    double most = 1 / sqrt((double)n_in);
    for (size_t i = 0; i < n_in * rank; i++)
        x.a->data[i] = (float)(most * (2 * random_double(init) - 1));
    return x;
}

Adapters adapters_create(const Gpt2 *model, size_t rank, float scale, Random *init) {
    const Params *all = &model->params;
    Adapters adapters = {.params = {.mode = PARAMS_TRAIN},
                         .items = checked_alloc(all->n, sizeof *adapters.items)};
    for (size_t i = 0; i < all->n; i++) {
        if (!is_adapted(model, all->items[i].tensor)) continue;
        adapters.items[adapters.n++] =
            adapter_create(&adapters.params, &all->items[i], rank, scale, init);
    }
    return adapters;
}

void adapters_backward(Adapters *adapters) {
    params_zero_grad(&adapters->params);
    for (size_t i = 0; i < adapters->n; i++) {
        const Adapter *x = &adapters->items[i];
        lora_backward(x->a->grad, x->b->grad, x->w->grad, x->a->data, x->b->data,
                      &x->shape);
    }
}

void adapters_merge(const Adapters *adapters) {
    for (size_t i = 0; i < adapters->n; i++) {
        const Adapter *x = &adapters->items[i];
        lora_merge(x->w->data, x->w0, x->a->data, x->b->data, &x->shape);
    }
}

void adapters_free(Adapters *adapters) {
    for (size_t i = 0; i < adapters->n; i++) free(adapters->items[i].w0);
    free(adapters->items);
    params_free(&adapters->params);
    *adapters = (Adapters){0};
}
