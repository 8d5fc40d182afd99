/* LoRA for a whole model: see adapters.h. */
#include "19-fine-tuning/adapters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

bool adapters_can_change(const Gpt2 *model, const Param *param) {
    const Tensor *x = param->tensor;
    return x->ndim == 2 && x != model->wte && x != model->wpe && x != model->head_table;
}

Adapters adapters_begin(const Gpt2 *model) {
    return (Adapters){
        .params = {.mode = PARAMS_TRAIN},
        .items = checked_alloc(model->params.n, sizeof(Adapter)),
    };
}

Adapter *adapters_add(Adapters *adapters, const Param *param, size_t rank,
                      float scale) {
    Adapter *x = &adapters->items[adapters->n++];
    Tensor *w = param->tensor;
    size_t n_in = w->shape[0], n_out = w->shape[1];
    *x = (Adapter){.param = param, .w = w, .shape = {n_in, n_out, rank, scale}};
    x->w0 = checked_alloc(n_in * n_out, sizeof *x->w0);
    memcpy(x->w0, w->data, n_in * n_out * sizeof *x->w0);
    params_push(&adapters->params, "%s", param->name);
    x->a = params_add(&adapters->params, 2, (size_t[]){n_in, rank}, "lora_a");
    x->b = params_add(&adapters->params, 2, (size_t[]){rank, n_out}, "lora_b");
    params_pop(&adapters->params);
    return x;
}

/* --- which matrices --- */

/* Is the word, of so many letters, a part of the name: "attn" of "h.0.attn.c_attn"? */
static bool is_part(const char *word, size_t letters, const char *name) {
    for (; *name; name += strcspn(name, "."), name += *name == '.') {
        if (strcspn(name, ".") == letters && memcmp(name, word, letters) == 0)
            return true;
    }
    return false;
}

/* Is one of the words, by commas, a part of the name? */
static bool is_listed(const char *words, const char *name) {
    for (size_t n; *words; words += n, words += *words == ',') {
        n = strcspn(words, ",");
        if (is_part(words, n, name)) return true;
    }
    return false;
}

static void expect_parts(const Gpt2 *model, const char *words) {
    for (size_t n; *words; words += n, words += *words == ',') {
        n = strcspn(words, ",");
        bool found = false;
        for (size_t i = 0; i < model->params.n && !found; i++) {
            const Param *p = &model->params.items[i];
            found = adapters_can_change(model, p) && is_part(words, n, p->name);
        }
        if (!found)
            die("'%.*s': no matrix of a block is called so; expected attn, mlp, c_attn "
                "and the like",
                (int)n, words);
    }
}

Adapters adapters_create(const Gpt2 *model, const AdapterSettings *settings,
                         Random *init) {
    if (settings->matrices) expect_parts(model, settings->matrices);
    Adapters adapters = adapters_begin(model);
    size_t rank = settings->rank;
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        if (!adapters_can_change(model, p)) continue;
        if (settings->matrices && !is_listed(settings->matrices, p->name)) continue;
        size_t n_in = p->tensor->shape[0], n_out = p->tensor->shape[1];
        if (rank > n_in || rank > n_out)
            die("rank %zu: '%s' is [%zu, %zu]; at most %zu", rank, p->name, n_in, n_out,
                n_in < n_out ? n_in : n_out);
        Adapter *x = adapters_add(&adapters, p, rank, settings->scale);
        double most = 1 / sqrt((double)n_in);
        for (size_t k = 0; k < n_in * rank; k++)
            x->a->data[k] = (float)(most * (2 * random_double(init) - 1));
    }
    if (!adapters.n) die("--matrices '': names no matrix of a block");
    return adapters;
}

/* --- in a step --- */

void adapters_backward(Adapters *adapters) {
    params_zero_grad(&adapters->params);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < adapters->n; i++) {
        const Adapter *x = &adapters->items[i];
        lora_backward(x->a->grad, x->b->grad, x->w->grad, x->a->data, x->b->data,
                      &x->shape);
    }
}

void adapters_merge(const Adapters *adapters) {
#pragma omp parallel for schedule(dynamic)
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
