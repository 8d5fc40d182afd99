/* Tests of exercise 07/causal_attention, stage by stage: scores, mask, softmax, values,
 * backward, dropout. */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"
#include "check_attention.h"
#include "check/sanitizer.h"

/* --- stage 1: scores --- */

Test(causal_attention, stage1_scores_without_mask, .timeout = 10) {
    check_scores(false);
}

Test(causal_attention, stage1_scores_causal, .timeout = 10) {
    check_scores(true);
}

/* --- stage 2: the mask --- */

Test(causal_attention, stage2_mask_causal, .timeout = 10) {
    AttentionShape shape = {.n_heads = 1, .length = 4, .head_dim = 2, .causal = true};
    for (size_t t = 0; t < 4; t++) {
        size_t n = attention_visible(&shape, t);
        CHECK(n != t, "row %zu sees %zu positions: it does not see itself", t, n);
        CHECK(n != t + 2 && (n != 4 || t == 3),
              "row %zu sees %zu positions: those behind %zu are the future", t, n, t);
        CHECK(n == t + 1,
              "row %zu sees %zu positions, expected 0 .. %zu, which are %zu", t, n, t,
              t + 1);
    }
}

Test(causal_attention, stage2_mask_is_a_choice, .timeout = 10) {
    AttentionShape shape = {.n_heads = 1, .length = 4, .head_dim = 2, .causal = false};
    for (size_t t = 0; t < 4; t++) {
        size_t n = attention_visible(&shape, t);
        CHECK(n == 4,
              "row %zu sees %zu positions although causal is false: expected all 4", t,
              n);
    }
}

/* --- stage 3: the softmax of what is seen --- */

Test(causal_attention, stage3_softmax_causal, .timeout = 10) {
    check_softmax(inputs_create(1, 5, 3, true, 0));
}

Test(causal_attention, stage3_softmax_without_mask, .timeout = 10) {
    check_softmax(inputs_create(1, 5, 3, false, 0));
}

/* Scores above the diagonal, from stage 1, may be anything: NaN, or a very large
 * number. */
Test(causal_attention, stage3_softmax_leaves_out_what_is_hidden, .timeout = 10) {
    check_hidden(NAN);
    check_hidden(1e38f);
}

/* Scores near +-1000: e^1000 is beyond float and e^-1000 is 0, but the softmax is as
 * tame as ever. */
Test(causal_attention, stage3_softmax_large_scores, .timeout = 10) {
    for (int sign = -1; sign <= 1; sign += 2) {
        Inputs *in = inputs_create(1, 4, 4, true, 0);
        for (size_t i = 0; i < in->size; i++) {
            in->q64[i] = sign * (30.0 + 0.02 * in->q64[i]);
            in->k64[i] = 16.0 + 0.02 * in->k64[i];
        }
        set_scores(in);
        attention_softmax(in->weights, &in->shape);
        for (size_t i = 0; i < in->n_weights; i++) {
            CHECK(isfinite(in->weights[i]),
                  "weights[%zu] is %f at scores of %d: take off the largest score "
                  "before exp, and divide both by sqrt(head_dim)",
                  i, (double)in->weights[i], sign * 960);
        }
        check_weights(in, 1e-3); /* a score of 1920 is good to 1e-4 in float */
    }
}

/* --- stage 4: values, and all heads --- */

Test(causal_attention, stage4_forward_causal, .timeout = 10) {
    check_forward(inputs_create(3, 5, 4, true, 0));
}

Test(causal_attention, stage4_forward_without_mask, .timeout = 10) {
    check_forward(inputs_create(2, 5, 3, false, 0));
}

/* A longer text than most arrays in the function could hold. To make the numbers of
 * each known mistake would take most of the time of all tests, and shorter texts name
 * them. */
Test(causal_attention, stage4_forward_long, .timeout = 10) {
    Inputs *in = inputs_create(1, 1030, 2, true, 0);
    forward(in);
    know_pass(in);
    const double *right = right_weights(in);
    CHECK_CLOSE("weights", in->weights, right, in->n_weights, 1e-5);
    CHECK_CLOSE("out", in->out, plain_out(right, in->v64, &in->shape, RIGHT), in->size,
                1e-5);
}

/* ThreadSanitizer (find_races in tools/make/lib.sh) would take seconds for millions of
 * pairs, and sees as much in fewer. */
static void skip_where_races_are_looked_for(void) {
    if (getenv("CHECK_RACES")) cr_skip_test("fewer positions have the same threads");
}

/* Queries of 0 look at all that they see alike, so that out is the mean of the values
 * so far: no plain version needs to go through millions of pairs. */
Test(causal_attention, stage4_forward_of_thousands, .timeout = 60) {
    skip_where_races_are_looked_for();
    enum { T = 4201 };
    AttentionShape shape = {.n_heads = 1, .length = T, .head_dim = 1, .causal = true};
    float *q = equal_floats(T, 0), *k = normal_floats(T, 1, 2),
          *v = normal_floats(T, 1, 3), *out = nan_floats(T);
    double *expected = as_double(v, T), sum = 0;
    for (size_t t = 0; t < T; t++) {
        v[t] += 1;
        sum += (double)v[t];
        expected[t] = sum / (double)(t + 1);
    }
    attention_forward(out, guarded_alloc(T * T, sizeof(float)),
                      /* to fill 140 MB with NaN takes as long as the rest */
                      guarded_alloc(T * T, sizeof(float)), q, k, v, &shape);
    AXES({"query", "length", T});
    CHECK_CLOSE("out of 4201 positions", out, expected, T, 1e-5);
}

Test(causal_attention, stage4_forward_of_thousands_of_features, .timeout = 60) {
    check_forward(inputs_create(2, 3, 5003, true, 0));
}

/* Large enough for threads, and no multiple of a round number. */
Test(causal_attention, stage4_forward_large, .timeout = 10) {
    check_forward(inputs_create(5, 67, 19, true, 0));
}

/* The last position changes: what came before must not notice, to the last bit. */
Test(causal_attention, stage4_forward_does_not_see_the_future, .timeout = 10) {
    enum { T = 6, D = 3 };
    Inputs *in = inputs_create(1, T, D, true, 0);
    float *before = in->out, *after = nan_floats(T * D);
    forward(in);
    for (size_t c = (T - 1) * D; c < T * D; c++) {
        in->q[c] += 1.0f;
        in->k[c] -= 2.0f;
        in->v[c] *= 3.0f;
    }
    in->out = after;
    forward(in);
    for (size_t i = 0; i < (T - 1) * D; i++) {
        CHECK(!isnan(before[i]), "out of position %zu is %f: was it written at all?",
              i / D, (double)before[i]);
        CHECK(before[i] == after[i],
              "position %zu noticed a change at position %d: the future leaks (%.9g "
              "became %.9g)",
              i / D, T - 1, (double)before[i], (double)after[i]);
    }
    CHECK(memcmp(before + (T - 1) * D, after + (T - 1) * D, D * sizeof(float)) != 0,
          "the last position did not notice its own change: a position does not see "
          "itself");
}

/* Position 0 sees itself alone, with any numbers. */
Test(causal_attention, stage4_forward_first_position, .timeout = 10) {
    Inputs *in = inputs_create(2, 3, 4, true, 0);
    forward(in);
    CHECK_CLOSE("weights of position 0", in->weights, ((double[]){1, 0, 0}), 3, 1e-6,
                {"position 0 does not see itself", (double[]){0, 0, 0}},
                {"position 0 does not see itself: 0/0", (double[]){NAN, NAN, NAN}});
    CHECK_CLOSE("out of position 0, which is v of position 0,", in->out, in->v64, 4,
                1e-6);
}

Test(causal_attention, stage4_weights_equal_pytorch, .timeout = 10) {
    const char *cases[] = {"causal_h2", "full_h2", "causal_h4"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Inputs *in = golden_inputs(cases[c]);
        forward(in);
        CHECK_CLOSE(cases[c], in->weights, golden("attention", cases[c], "att", NULL),
                    in->n_weights, 1e-5);
    }
}

/* --- stage 5: backward --- */

Test(causal_attention, stage5_backward_causal, .timeout = 10) {
    check_backward(inputs_create(3, 5, 4, true, 0));
}

Test(causal_attention, stage5_backward_without_mask, .timeout = 10) {
    check_backward(inputs_create(2, 5, 3, false, 0));
}

Test(causal_attention, stage5_backward_large, .timeout = 10) {
    check_backward(inputs_create(5, 67, 19, true, 0));
}

/* As stage4_forward_of_thousands: weights are 1 / (t + 1), so that the gradient of
 * score (t, s) is (v[s] - mean of v) / (t + 1), and dq[t] is the mean of v k less the
 * product of their means. */
Test(causal_attention, stage5_backward_of_thousands, .timeout = 60) {
    skip_where_races_are_looked_for();
    enum { T = 4201 };
    AttentionShape shape = {.n_heads = 1, .length = T, .head_dim = 1, .causal = true};
    float *q = normal_floats(T, 1, 4), *k = normal_floats(T, 1, 2),
          *v = normal_floats(T, 1, 3);
    float *weights = checked_alloc(T * T, sizeof *weights), *dq = ones_and_a_half(T),
          *dk = ones_and_a_half(T), *dv = ones_and_a_half(T);
    double *expected_dq = as_double(q, T), *expected_dk = as_double(q, T),
           *expected_dv = as_double(q, T), *mean_v = as_double(v, T), sum_v = 0,
           sum_k = 0, sum_vk = 0;
    for (size_t t = 0; t < T; t++) {
        double n = (double)(t + 1);
        for (size_t s = 0; s <= t; s++) weights[t * T + s] = (float)(1 / n);
        v[t] += 1;
        sum_v += (double)v[t];
        sum_k += (double)k[t];
        sum_vk += (double)v[t] * (double)k[t];
        mean_v[t] = sum_v / n;
        expected_dq[t] = sum_vk / n - mean_v[t] * (sum_k / n);
    }
    double shares = 0, sum_q = 0, sum_q_mean = 0; /* of all that see position t */
    for (size_t t = T; t-- > 0;) {
        double share = 1 / (double)(t + 1);
        expected_dv[t] = shares += share;
        sum_q += (double)q[t] * share;
        sum_q_mean += (double)q[t] * share * mean_v[t];
        expected_dk[t] = (double)v[t] * sum_q - sum_q_mean;
    }
    float *scratch = guarded_alloc(T * T, sizeof *scratch);
    attention_backward(dq, dk, dv, scratch, equal_floats(T, 1), weights, q, k, v,
                       &shape);
    AXES({"position", "length", T});
    CHECK_ADDED("dv of 4201 positions", dv, expected_dv, T, 1e-5);
    CHECK_ADDED("dq of 4201 positions", dq, expected_dq, T, 1e-4);
    CHECK_ADDED("dk of 4201 positions", dk, expected_dk, T, 1e-4);
}

Test(causal_attention, stage5_backward_of_thousands_of_features, .timeout = 60) {
    check_backward(inputs_create(2, 3, 5003, true, 0));
}

Test(causal_attention, stage5_backward_skips_null, .timeout = 10) {
    Inputs *in = inputs_create(2, 4, 3, true, 0);
    Gradients g = plain_backward(in, RIGHT);
    crash_means("dq or dk is written to though it is NULL");
    backward(in, NULL, NULL, in->dv);
    CHECK_ADDED("dv alone", in->dv, g.dv, in->size, 1e-5);
    crash_means("a gradient is written to though it is NULL");
    backward(in, in->dq, NULL, NULL);
    CHECK_ADDED("dq alone", in->dq, g.dq, in->size, 1e-5);
    backward(in, NULL, in->dk, NULL);
    CHECK_ADDED("dk alone", in->dk, g.dk, in->size, 1e-5);
}

/* --- stage 6: dropout --- */

Test(causal_attention, stage6_dropout_forward, .timeout = 10) {
    check_forward(inputs_create(3, 6, 4, true, 0.4f));
}

Test(causal_attention, stage6_dropout_backward, .timeout = 10) {
    check_backward(inputs_create(3, 6, 4, true, 0.4f));
}

/* More weights, and more heads, than any array in the function could hold. */
Test(causal_attention, stage6_dropout_of_thousands, .timeout = 60) {
    check_forward(inputs_create(2, 71, 3, true, 0.4f));
    check_backward(inputs_create(2, 71, 3, true, 0.4f));
    check_forward(inputs_create(5003, 2, 1, true, 0.4f));
    check_backward(inputs_create(5003, 2, 1, true, 0.4f));
}

/* Several threads compute them, over and over, and sooner or later two at the same
 * time. Where races are looked for, or memory is watched, once more says as much. */
Test(causal_attention, stage6_heads_have_scratch_of_their_own, .timeout = 60) {
#ifdef __SANITIZE_ADDRESS__
    enum { MOST = 2 };
#else
    enum { MOST = 20 };
#endif
    const int times = getenv("CHECK_RACES") ? 2 : MOST;
    Inputs *in = inputs_create(16, 100, 8, true, 0.4f);
    double *first_out = NULL, *first_dq = NULL;
    for (int i = 0; i < times; i++) {
        for (size_t j = 0; j < in->size; j++) in->out[j] = in->dq[j] = 0;
        forward(in);
        attention_backward(in->dq, NULL, NULL, in->scratch, in->dout, in->weights,
                           in->q, in->k, in->v, &in->shape);
        if (i == 0) {
            first_out = as_double(in->out, in->size);
            first_dq = as_double(in->dq, in->size);
        }
        for (size_t j = 0; j < in->size; j++) {
            bool same =
                (double)in->out[j] == first_out[j] && (double)in->dq[j] == first_dq[j];
            CHECK(same,
                  "the same call gives other numbers: heads that are computed at the "
                  "same time share scratch, of which length * length floats are for "
                  "each");
        }
    }
}
