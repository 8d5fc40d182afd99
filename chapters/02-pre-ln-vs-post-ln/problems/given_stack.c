/* The check of a stack against the one given: see given_stack.h. */
#include "02-pre-ln-vs-post-ln/problems/given_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "weights/params.h"

GivenStack given_stack(const Params *params, const Stack *s) {
    GivenStack given = {.stack = *s, .n_params = params_count(params)};
    given.residuals = checked_alloc(s->config.depth, sizeof *given.residuals);
    memcpy(given.residuals, s->residuals, s->config.depth * sizeof *given.residuals);
    return given;
}

void given_stack_free(GivenStack *given) {
    free(given->residuals);
    *given = (GivenStack){0};
}

static bool same_layer(Layer a, Layer b) {
    return a.forward == b.forward && a.self == b.self;
}

static bool same_config(const StackConfig *a, const StackConfig *b) {
    return a->d_model == b->d_model && a->d_hidden == b->d_hidden &&
           a->depth == b->depth && a->placement == b->placement &&
           a->without_norms == b->without_norms && a->n_out == b->n_out;
}

static bool same_parts(const Stack *a, const Stack *b) {
    return a->residuals == b->residuals && a->mlps == b->mlps && a->norms == b->norms &&
           same_layer(a->final_norm, b->final_norm) &&
           a->head.weight == b->head.weight && a->head.bias == b->head.bias;
}

void expect_given(const GivenStack *given, const Params *params, const Stack *s,
                  size_t more_percent, bool own_joins) {
    if (!same_config(&given->stack.config, &s->config) || !same_parts(&given->stack, s))
        die("the stack's config, norms or head are others than given");
    for (size_t l = 0; l < s->config.depth; l++) {
        const Residual *was = &given->residuals[l], *is = &s->residuals[l];
        if (is->placement != was->placement || !same_layer(is->norm, was->norm) ||
            !same_layer(is->sublayer, was->sublayer)) {
            die("layer %zu has another placement, norm or sublayer than given", l);
        }
        if (!own_joins &&
            (is->join.forward != was->join.forward || is->join.self != was->join.self))
            die("layer %zu has another join than given", l);
    }
    size_t n = params_count(params),
           most = given->n_params + given->n_params * more_percent / 100;
    if (n > most) die("%zu parameters, expected at most %zu", n, most);
}

static Tensor *no_branch(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, 0);
}

void expect_all_layers_used(const Stack *s) {
    enum { INPUTS = 8 };
    Random inputs = random_create(1);
    Tape t = tape_for_inference();
    size_t width = s->config.d_model;
    Tensor *x = tape_tensor(&t, 2, (size_t[]){INPUTS, width}, false);
    random_fill_normal(&inputs, x->data, INPUTS * width, 1);
    for (size_t l = 0; l < s->config.depth; l++) {
        Residual without = s->residuals[l];
        without.sublayer = (Layer){no_branch, NULL};
        const Tensor *with = residual(&t, &s->residuals[l], x),
                     *stream = residual(&t, &without, x);
        if (memcmp(with->data, stream->data, INPUTS * width * sizeof *with->data) == 0)
            die("layer %zu does nothing: its branch does not reach the stream", l);
    }
    tape_free(&t);
}
