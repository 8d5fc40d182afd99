/* A stack of residual sublayers: see stack.h. */
#include "02-pre-ln-vs-post-ln/stack.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static Layer add_norm(LayerNorm *norm, Params *params, size_t d_model,
                      const char *name) {
    *norm = layernorm_create(params, 1, &d_model, 1e-5f, name);
    return layernorm_layer(norm);
}

Stack stack_create(Params *params, Random *init, StackConfig config) {
    Stack s = {.config = config};
    s.residuals = checked_alloc(config.depth, sizeof *s.residuals);
    s.mlps = checked_alloc(config.depth, sizeof *s.mlps);
    if (!config.without_norms)
        s.norms = checked_alloc(config.depth + 1, sizeof *s.norms);
    for (size_t l = 0; l < config.depth; l++) {
        Residual *r = &s.residuals[l];
        *r = (Residual){.placement = config.placement, .join = join_add()};
        params_push(params, "h.%zu", l);
        if (s.norms) r->norm = add_norm(&s.norms[l], params, config.d_model, "ln");
        s.mlps[l] = mlp_create(params, init, config.d_model, config.d_hidden, "mlp");
        params_pop(params);
        r->sublayer = mlp_layer(&s.mlps[l]);
    }
    if (s.norms && config.placement == PRE_LN) {
        s.final_norm = add_norm(&s.norms[config.depth], params, config.d_model, "ln_f");
    }
    if (config.n_out) {
        float std = sqrtf(1.0f / (float)config.d_model);
        s.head = linear_create(params, init, config.d_model, config.n_out, true, std,
                               "head");
    }
    return s;
}

Tensor *stack_with_stream(Tape *t, const Stack *s, Tensor *x, Tensor **stream) {
    tensor_expect_cols("stack", "x", x, s->config.d_model);
    for (size_t l = 0; l < s->config.depth; l++) {
        if (stream) stream[l] = x;
        x = residual(t, &s->residuals[l], x);
    }
    if (stream) stream[s->config.depth] = x;
    x = layer_forward(t, s->final_norm, x);
    return s->config.n_out ? linear(t, &s->head, x) : x;
}

Tensor *stack(Tape *t, const Stack *s, Tensor *x) {
    return stack_with_stream(t, s, x, NULL);
}

void stack_free(Stack *s) {
    free(s->residuals);
    free(s->mlps);
    free(s->norms);
    *s = (Stack){0};
}

const char *placement_name(Placement placement) {
    return placement == PRE_LN ? "pre-LN" : "post-LN";
}
