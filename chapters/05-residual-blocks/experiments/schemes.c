/* The schemes and the size of their streams: see schemes.h. */
#include "05-residual-blocks/experiments/schemes.h"

#include <stdio.h>
#include <stdlib.h>

#include "02-pre-ln-vs-post-ln/stack.h"
#include "05-residual-blocks/residual_init.h"
#include "fit.h"
#include "memory.h"

enum { STREAM_INIT, STREAM_DATA };

//> schemes
const Scheme schemes[SCHEMES] = {
    [NONE] = {"none", "F(x)", RESIDUAL_NONE, false, POST_LN, false},
    [PLAIN] = {"plain", "x + F(x)", RESIDUAL_PLAIN, false, POST_LN, false},
    [PLAIN_SCALED] = {"plain/rN", "x + F(x) / sqrt N", RESIDUAL_PLAIN, false, POST_LN, true},
    [POST] = {"post-LN", "norm(x + F(x))", RESIDUAL_PLAIN, true, POST_LN, false},
    [PRE] = {"pre-LN", "x + F(norm x)", RESIDUAL_PLAIN, true, PRE_LN, false},
    [PRE_SCALED] = {"pre-LN/rN", "x + F(norm x) / sqrt N: GPT-2", RESIDUAL_PLAIN, true, PRE_LN, true},
    [REZERO] = {"rezero", "x + alpha F(x), alpha = 0", RESIDUAL_REZERO, false, POST_LN, false},
};
//< schemes

typedef struct {
    Params params;
    Stack stack;
    ResidualJoin *joins; /* [depth] */
} Network;

/* The same seed gives the same weights in every scheme; `scaled` makes those of the output projections
 * smaller. Two sublayers count as one block. */
static Network network_create(const Scheme *s, uint64_t seed, size_t depth) {
    Network n = {.params = {.mode = PARAMS_INFER}, .joins = checked_alloc(depth, sizeof(ResidualJoin))};
    Random init = random_stream(seed, STREAM_INIT);
    n.stack = stack_create(&n.params, &init,
                           (StackConfig){.d_model = D_MODEL,
                                         .d_hidden = D_HIDDEN,
                                         .depth = depth,
                                         .placement = s->placement,
                                         .without_norms = !s->normalized});
    float factor = s->scaled ? residual_init_std(1.0f, depth / 2) : 1.0f;
    for (size_t l = 0; l < depth; l++) {
        params_push(&n.params, "h.%zu", l);
        n.joins[l] = residual_join_create(&n.params, s->kind, D_MODEL, "");
        params_pop(&n.params);
        n.stack.residuals[l].join = residual_join(&n.joins[l]);
        Tensor *w = n.stack.mlps[l].down.weight;
        for (size_t i = 0; i < tensor_size(w); i++) w->data[i] *= factor;
    }
    return n;
}

static void network_free(Network *n) {
    stack_free(&n->stack);
    params_free(&n->params);
    free(n->joins);
}

/* |x|^2 / d, the mean over the rows. */
static double mean_square(const Tensor *x) {
    double sum = 0;
    size_t n = tensor_size(x);
    for (size_t i = 0; i < n; i++) sum += (double)x->data[i] * (double)x->data[i];
    return sum / (double)n;
}

void stream_size(double *size, const Scheme *s, uint64_t seed, size_t depth) {
    Network n = network_create(s, seed, depth);
    Random data = random_stream(seed, STREAM_DATA);
    Tensor **stream = checked_alloc(depth + 1, sizeof(Tensor *));
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){ROWS, D_MODEL}, false);
    random_fill_normal(&data, x->data, ROWS * D_MODEL, 1.0f);
    stack_with_stream(&t, &n.stack, x, stream);
    for (size_t l = 0; l <= depth; l++) size[l] = mean_square(stream[l]);
    tape_free(&t);
    free(stream);
    network_free(&n);
}

void mean_stream_size(double *size, const Scheme *s, const Settings *settings, size_t depth) {
    size_t n_seeds = settings->quick ? 2 : 10, n = depth + 1;
    double *all = checked_alloc(n * n_seeds, sizeof *all), *one = checked_alloc(n, sizeof *one);
    for (size_t k = 0; k < n_seeds; k++) {
        stream_size(one, s, settings->seed + k, depth);
        for (size_t i = 0; i < n; i++) all[i * n_seeds + k] = one[i];
    }
    for (size_t i = 0; i < n; i++) size[i] = geometric_mean(all + i * n_seeds, n_seeds);
    free(all);
    free(one);
}
