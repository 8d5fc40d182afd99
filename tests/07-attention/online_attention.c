/* Tests of attention without a table of weights: it is the plain one within 1e-6, sees
 * no future, and its bits do not depend on the number of threads. */
#include "07-attention/online_attention.h"

#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <string.h>

#include "check/check.h"
#include "base/memory.h"
#include "plain_attention.h"

typedef struct {
    float *out, *logsumexp, *d; /* d: dq, dk and dv, one after the other */
} Result;

static Result run(const Inputs *in) {
    size_t n = in->size;
    Result r = {nan_floats(n), nan_floats(in->shape.n_heads * in->shape.length),
                ones_and_a_half(3 * n)};
    online_attention_forward(r.out, r.logsumexp, in->q, in->k, in->v, &in->shape);
    online_attention_backward((AttentionGradients){r.d, r.d + n, r.d + 2 * n}, in->dout,
                              r.out, r.logsumexp, in->q, in->k, in->v, &in->shape);
    return r;
}

/* Against the formulas in double, and against the plain kernels. */
static void check(const Inputs *in) {
    size_t n = in->size;
    Result online = run(in);
    const double *right = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
    Gradients g = plain_backward(in, RIGHT);
    CHECK_CLOSE("out", online.out, plain_out(right, in->v64, &in->shape, RIGHT), n,
                1e-6);
    CHECK_ADDED("dq", online.d, g.dq, n, 1e-6);
    CHECK_ADDED("dk", online.d + n, g.dk, n, 1e-6);
    CHECK_ADDED("dv", online.d + 2 * n, g.dv, n, 1e-6);

    float *out = nan_floats(n), *weights = nan_floats(in->n_weights),
          *scratch = nan_floats(in->n_weights);
    float *d = ones_and_a_half(3 * n);
    attention_forward(out, weights, scratch, in->q, in->k, in->v, &in->shape);
    attention_backward(d, d + n, d + 2 * n, scratch, in->dout, weights, in->q, in->k,
                       in->v, &in->shape);
    CHECK_CLOSE("out, beside the plain kind's,", online.out, as_double(out, n), n,
                1e-6);
    CHECK_CLOSE("dq | dk | dv, beside the plain kind's,", online.d, as_double(d, 3 * n),
                3 * n, 1e-6);
}

Test(online_attention, equals_plain_causal, .timeout = 10) {
    check(inputs_create(3, 5, 4, true, 0));
    check(inputs_create(5, 67, 19, true, 0));
    check(inputs_create(2, 127, 64, true, 0));
}

Test(online_attention, equals_plain_without_mask, .timeout = 10) {
    check(inputs_create(2, 5, 3, false, 0));
    check(inputs_create(3, 33, 16, false, 0));
}

Test(online_attention, equals_plain_with_dropout, .timeout = 10) {
    check(inputs_create(3, 7, 4, true, 0.4f));
    check(inputs_create(3, 31, 8, false, 0.1f));
}

Test(online_attention, one_position_is_its_value, .timeout = 10) {
    const Inputs *in = inputs_create(2, 1, 3, true, 0);
    CHECK_CLOSE("out", run(in).out, in->v64, in->size, 1e-7);
}

/* exp of a score near 1000 is beyond float: the running maximum is taken off first. */
Test(online_attention, large_scores, .timeout = 10) {
    Inputs *in = inputs_create(2, 5, 4, true, 0);
    for (size_t i = 0; i < in->size; i++) {
        in->q[i] = 30.0f + 0.02f * in->q[i];
        in->k[i] = 16.0f + 0.02f * in->k[i];
    }
    in->q64 = as_double(in->q, in->size);
    in->k64 = as_double(in->k, in->size);
    const double *weights = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
    CHECK_CLOSE("out", run(in).out, plain_out(weights, in->v64, &in->shape, RIGHT),
                in->size, 1e-3);
}

/* Scores that rise with every key, so that the maximum changes each time, and that
 * fall, so that it never does. */
Test(online_attention, any_order_of_scores, .timeout = 10) {
    enum { T = 9, D = 2 };
    for (int sign = -1; sign <= 1; sign += 2) {
        Inputs *in = inputs_create(1, T, D, true, 0);
        for (size_t i = 0; i < T * D; i++) {
            in->q[i] = 1.0f;
            in->k[i] = (float)sign * 3.0f * (float)(i / D);
        }
        in->q64 = as_double(in->q, in->size);
        in->k64 = as_double(in->k, in->size);
        const double *weights = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
        CHECK_CLOSE("out", run(in).out, plain_out(weights, in->v64, &in->shape, RIGHT),
                    T * D, 1e-6);
    }
}

/* Everything about position CHANGED and what follows becomes NaN: what came before
 * keeps its bits, and so do the gradients of its queries. */
Test(online_attention, does_not_see_the_future, .timeout = 10) {
    enum { T = 9, D = 3, CHANGED = 4 };
    Inputs *in = inputs_create(1, T, D, true, 0);
    Result before = run(in);
    for (size_t i = CHANGED * D; i < T * D; i++)
        in->q[i] = in->k[i] = in->v[i] = in->dout[i] = NAN;
    Result after = run(in);
    cr_assert_eq(memcmp(before.out, after.out, CHANGED * D * sizeof(float)), 0);
    cr_assert_eq(memcmp(before.d, after.d, CHANGED * D * sizeof(float)), 0);
    for (size_t i = CHANGED * D; i < T * D; i++) {
        CHECK(isnan(after.out[i]), "out[%zu] is %g although its own input is no number",
              i, (double)after.out[i]);
    }
}

Test(online_attention, skips_null, .timeout = 10) {
    const Inputs *in = inputs_create(2, 5, 3, true, 0);
    Result r = run(in);
    float *dk = ones_and_a_half(in->size);
    online_attention_backward((AttentionGradients){.k = dk}, in->dout, r.out,
                              r.logsumexp, in->q, in->k, in->v, &in->shape);
    cr_assert_eq(memcmp(dk, r.d + in->size, in->size * sizeof *dk), 0);
}

#ifdef _OPENMP
Test(online_attention, threads_do_not_matter, .timeout = 10) {
    const Inputs *in = inputs_create(5, 67, 19, true, 0.1f);
    omp_set_num_threads(1);
    Result one = run(in);
    omp_set_num_threads(3);
    Result three = run(in);
    cr_assert_eq(memcmp(one.out, three.out, in->size * sizeof(float)), 0);
    cr_assert_eq(memcmp(one.d, three.d, 3 * in->size * sizeof(float)), 0);
}
#endif
