/* The schemes and the size of their streams: see schemes.h. */
#include "05-residual-blocks/experiments/schemes.h"

#include <stdio.h>
#include <stdlib.h>

#include "05-residual-blocks/residual_init.h"
#include "math/fit.h"
#include "base/memory.h"

enum { STREAM_INIT, STREAM_DATA, STREAM_PROFILE };

const Scheme schemes[SCHEMES] = {
    [NONE] = {"none", "F(x)", RESIDUAL_NONE, false, POST_LN, false},
    [PLAIN] = {"plain", "x + F(x)", RESIDUAL_PLAIN, false, POST_LN, false},
    [PLAIN_SCALED] = {"plain/rN", "x + F(x) / sqrt N", RESIDUAL_PLAIN, false, POST_LN,
                      true},
    [POST] = {"post-LN", "norm(x + F(x))", RESIDUAL_PLAIN, true, POST_LN, false},
    [PRE] = {"pre-LN", "x + F(norm x)", RESIDUAL_PLAIN, true, PRE_LN, false},
    [PRE_SCALED] = {"pre-LN/rN", "x + F(norm x) / sqrt N: GPT-2", RESIDUAL_PLAIN, true,
                    PRE_LN, true},
    [REZERO] = {"rezero", "x + alpha F(x), alpha = 0", RESIDUAL_REZERO, false, POST_LN,
                false},
    [NORM_ONLY] = {"norm", "norm(F(x))", RESIDUAL_NONE, true, POST_LN, false},
    [SKIPINIT] = {"skipinit", "x + alpha F(x), alpha = 0", RESIDUAL_SKIPINIT, false,
                  POST_LN, false},
    [FIXUP] = {"fixup", "x + scale F(x) + bias, F = 0", RESIDUAL_FIXUP, false, POST_LN,
               false},
    [ADMIN] = {"admin", "norm(omega x + F(x))", RESIDUAL_ADMIN, true, POST_LN, false},
};

StackConfig scheme_stack(const Scheme *s, size_t d_model, size_t d_hidden, size_t depth,
                         size_t n_out) {
    return (StackConfig){.d_model = d_model,
                         .d_hidden = d_hidden,
                         .depth = depth,
                         .placement = s->placement,
                         .without_norms = !s->normalized,
                         .n_out = n_out};
}

void scale_weights(Tensor *w, float factor) {
    const size_t n = tensor_size(w);
    for (size_t i = 0; i < n; i++) w->data[i] *= factor;
}

/* Zhang et al. 2019: branches and classes start at zero, the layers in front of the
 * zeros at 1/sqrt(depth). */
static void fixup_initialize(Stack *stack) {
    size_t depth = stack->config.depth;
    for (size_t l = 0; l < depth; l++) {
        scale_weights(stack->mlps[l].up.weight, fixup_init_std(1.0f, depth, 2));
        scale_weights(stack->mlps[l].down.weight, 0.0f);
    }
    if (stack->config.n_out) scale_weights(stack->head.weight, 0.0f);
}

//> profile
static void admin_profile(const Stack *stack, ResidualJoin *joins) {
    size_t depth = stack->config.depth, d_model = stack->config.d_model;
    double *sizes = checked_alloc(depth, sizeof *sizes);
    Random data = random_stream(0, STREAM_PROFILE);
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){ROWS, d_model}, false);
    random_fill_normal(&data, x->data, ROWS * d_model, 1.0f);
    for (size_t l = 0; l < depth; l++) joins[l].branch_size = &sizes[l];
    stack_with_stream(&t, stack, x, NULL);
    admin_set_omega(joins, depth, sizes);
    for (size_t l = 0; l < depth; l++) joins[l].branch_size = NULL;
    tape_free(&t);
    free(sizes);
}
//< profile

void scheme_apply(const Scheme *s, Params *params, Stack *stack, ResidualJoin *joins) {
    size_t depth = stack->config.depth;
    float factor = s->scaled ? residual_init_std(1.0f, depth / 2) : 1.0f;
    for (size_t l = 0; l < depth; l++) {
        params_push(params, "h.%zu", l);
        joins[l] = residual_join_create(params, s->kind, stack->config.d_model, "");
        params_pop(params);
        stack->residuals[l].join = residual_join(&joins[l]);
        scale_weights(stack->mlps[l].down.weight, factor);
    }
    if (s->kind == RESIDUAL_FIXUP) fixup_initialize(stack);
    if (s->kind == RESIDUAL_ADMIN) admin_profile(stack, joins);
}

Network network_create(const Scheme *s, size_t d_model, size_t d_hidden, uint64_t seed,
                       size_t depth) {
    Network n = {.params = {.mode = PARAMS_INFER},
                 .joins = checked_alloc(depth, sizeof(ResidualJoin))};
    Random init = random_stream(seed, STREAM_INIT);
    n.stack =
        stack_create(&n.params, &init, scheme_stack(s, d_model, d_hidden, depth, 0));
    scheme_apply(s, &n.params, &n.stack, n.joins);
    return n;
}

void network_free(Network *n) {
    stack_free(&n->stack);
    params_free(&n->params);
    free(n->joins);
}

void stream_size(double *size, const Scheme *s, uint64_t seed, size_t depth) {
    Network n = network_create(s, D_MODEL, D_HIDDEN, seed, depth);
    Random data = random_stream(seed, STREAM_DATA);
    Tensor **stream = checked_alloc(depth + 1, sizeof(Tensor *));
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){ROWS, D_MODEL}, false);
    random_fill_normal(&data, x->data, ROWS * D_MODEL, 1.0f);
    stack_with_stream(&t, &n.stack, x, stream);
    for (size_t l = 0; l <= depth; l++) size[l] = tensor_mean_square(stream[l]);
    tape_free(&t);
    free(stream);
    network_free(&n);
}

void mean_stream_size(double *size, const Scheme *s, const Settings *settings,
                      size_t depth) {
    size_t n_seeds = settings->quick ? 2 : 10, n = depth + 1;
    double *all = checked_alloc(n * n_seeds, sizeof *all),
           *one = checked_alloc(n, sizeof *one);
    for (size_t k = 0; k < n_seeds; k++) {
        stream_size(one, s, settings->seed + k, depth);
        for (size_t i = 0; i < n; i++) all[i * n_seeds + k] = one[i];
    }
    for (size_t i = 0; i < n; i++) size[i] = geometric_mean(all + i * n_seeds, n_seeds);
    free(all);
    free(one);
}
