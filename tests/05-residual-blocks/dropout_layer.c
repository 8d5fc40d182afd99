/* Tests of dropout on the tape: training and evaluation, and that each use has its own
 * numbers. */
#include <string.h>

#include "05-residual-blocks/dropout_layer.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "weights/params.h"

enum { N = 64 };

static Tensor *input(Tape *t) {
    return tape_input(t, 2, (size_t[]){4, N / 4}, normal_floats(N, 1, 1));
}

Test(dropout_layer, evaluation_returns_x, .timeout = 10) {
    Tape t = tape_create(1);
    Tensor *x = input(&t);
    t.training = false;
    CHECK(dropout(&t, x, 0.5f) == x, "in evaluation mode dropout must return x itself");
    t.training = true;
    CHECK(dropout(&t, x, 0.0f) == x, "with p = 0 dropout must return x itself");
    CHECK(t.random.next == 0, "dropout took %zu random numbers and dropped nothing",
          (size_t)t.random.next);
    tape_free(&t);
}

Test(dropout_layer, every_use_has_its_own_mask, .timeout = 10) {
    Tape t = tape_create(1), again = tape_create(1);
    Tensor *x = input(&t), *first = dropout(&t, x, 0.5f),
           *second = dropout(&t, x, 0.5f);
    CHECK(memcmp(first->data, second->data, N * sizeof(float)) != 0,
          "two dropouts of one step have the same mask");
    CHECK(t.random.next == 2 * N,
          "two dropouts of %d numbers moved the tape's random numbers by %zu", (int)N,
          (size_t)t.random.next);
    Tensor *same = dropout(&again, input(&again), 0.5f);
    CHECK(memcmp(first->data, same->data, N * sizeof(float)) == 0,
          "the same seed must give the same mask");
    tape_free(&t);
    tape_free(&again);
}

/* out is linear in x with 0 or 1 / (1 - p) on the diagonal, so dx = weights * out /
 * x. */
Test(dropout_layer, gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(2);
    Tensor *x = params_add(&params, 1, (size_t[]){N}, "x");
    for (size_t i = 0; i < N; i++) x->data[i] = 1.0f + (float)i;
    float *weights = normal_floats(N, 1, 3);
    DropoutAfter layer = {.p = 0.3f};
    Tensor *out = layer_forward(&t, dropout_after(&layer), x);
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    double expected[N];
    for (size_t i = 0; i < N; i++)
        expected[i] = (double)weights[i] * (double)out->data[i] / (double)x->data[i];
    CHECK_CLOSE("dx", x->grad, expected, N, 1e-5);
    params_free(&params);
    tape_free(&t);
}

static void drop_everything(void *argument) {
    (void)argument;
    Tape t = tape_create(1);
    dropout(&t, input(&t), 1.0f);
}

Test(dropout_layer, refuses_p_of_one, .timeout = 10) {
    expect_exit(EXIT_INPUT, "dropout: p is 1, expected 0 <= p < 1", drop_everything,
                NULL);
}
