/* The judge of open problem 03/to_rmsnorm. */
#include "03-rmsnorm/problems/to_rmsnorm.h"

#include <stdio.h>
#include <string.h>

#include "02-pre-ln-vs-post-ln/problems/given_stack.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/problem.h"

enum { WIDTH = 32, CLASSES = 8, STREAM_INIT = 1, STREAM_MOVE };

static void create(NormNetwork *n, NormKind kind, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    *n = (NormNetwork){.params = {.mode = PARAMS_INFER}};
    n->table = params_add(&n->params, 2, (size_t[]){FOLDED_TOKENS, WIDTH}, "table");
    random_fill_normal(&init, n->table->data, FOLDED_TOKENS * WIDTH, 1);
    n->stack = stack_create(&n->params, &init,
                            (StackConfig){.d_model = WIDTH,
                                          .d_hidden = 2 * WIDTH,
                                          .depth = FOLDED_DEPTH,
                                          .placement = PRE_LN,
                                          .without_norms = true,
                                          .n_out = CLASSES});
    for (size_t l = 0; l <= FOLDED_DEPTH; l++) {
        params_push(&n->params, "norm.%zu", l);
        n->norms[l] = norm_create(&n->params, kind, WIDTH, 1e-5f, "");
        params_pop(&n->params);
        Layer *place =
            l < FOLDED_DEPTH ? &n->stack.residuals[l].norm : &n->stack.final_norm;
        *place = norm_layer(&n->norms[l]);
    }
}

static void destroy(NormNetwork *n) {
    for (size_t l = 0; l <= FOLDED_DEPTH; l++) norm_free(&n->norms[l]);
    stack_free(&n->stack);
    params_free(&n->params);
}

/* All numbers somewhere else, as after a training: no bias is 0, no mean is. */
static void move(Params *params, uint64_t seed) {
    Random random = random_stream(seed, STREAM_MOVE);
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        for (size_t k = 0; k < tensor_size(x); k++)
            x->data[k] += 0.2f * (float)random_normal(&random);
    }
}

static void copy(Params *to, const Params *from) {
    for (size_t i = 0; i < to->n; i++) {
        Tensor *x = to->items[i].tensor;
        memcpy(x->data, params_find(from, to->items[i].name)->data,
               tensor_size(x) * sizeof *x->data);
    }
}

/* The largest difference of a logit, over all rows of the table. */
static double difference(uint64_t seed) {
    NormNetwork layer, rms;
    create(&layer, NORM_LAYER, seed);
    create(&rms, NORM_RMS, seed);
    move(&layer.params, seed);
    copy(&rms.params, &layer.params);
    Tape t = tape_for_inference();
    const Tensor *expected = stack(&t, &layer.stack, layer.table);
    GivenStack given = given_stack(&rms.params, &rms.stack);
    to_rmsnorm(&rms, layer.norms);
    expect_given(&given, &rms.params, &rms.stack, 0, false);
    for (size_t l = 0; l <= FOLDED_DEPTH; l++) {
        if (rms.norms[l].kind != NORM_RMS) die("norm %zu is no RMSNorm", l);
    }
    const Tensor *out = stack(&t, &rms.stack, rms.table);
    double largest = largest_difference(out->data, expected->data, tensor_size(out));
    given_stack_free(&given);
    tape_free(&t);
    destroy(&layer);
    destroy(&rms);
    return largest;
}

static void judge(const Settings *settings) {
    double largest[PROBLEM_SEEDS];
    problem_measure(largest, settings, difference,
                    "largest difference of a logit %.2g");
    problem_at_most("largest difference", largest, 1e-4);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "03/to_rmsnorm", judge);
}
