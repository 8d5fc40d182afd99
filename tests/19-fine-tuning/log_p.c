/* Tests of ln p of answers on the tape. */
#include "19-fine-tuning/log_p.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "check/check.h"
#include "tensor/gradcheck.h"

enum { ROWS = 3, LENGTH = 4, VOCAB = 5, ANSWERS = 2, ALL = ROWS * LENGTH * VOCAB };
static const size_t at[ROWS] = {3, 0, 2};
static const int tokens[ROWS * ANSWERS] = {4, 1, 0, 0, 2, 3}; /* one of them twice */
static const float weights[ROWS * ANSWERS] = {0.5f, -2, 1, 3, -1, 0.25f};

static double log_p(const double *logits, size_t b, size_t i) {
    const double *row = logits + (b * LENGTH + at[b]) * VOCAB;
    double sum = 0;
    for (size_t v = 0; v < VOCAB; v++) sum += exp(row[v]);
    return row[tokens[b * ANSWERS + i]] - log(sum);
}

static double weighted(const double *logits, size_t n, void *context) {
    (void)n;
    (void)context;
    double sum = 0;
    for (size_t i = 0; i < ROWS * ANSWERS; i++)
        sum += (double)weights[i] * log_p(logits, i / ANSWERS, i % ANSWERS);
    return sum;
}

Test(log_p, and_its_gradient, .timeout = 10) {
    float *numbers = normal_floats(ALL, 2, 1);
    double *logits = as_double(numbers, ALL), gradient[ALL];
    Tape t = tape_for_training(1);
    const size_t shape[3] = {ROWS, LENGTH, VOCAB};
    Tensor *x = tape_tensor(&t, 3, shape, true);
    memcpy(x->data, numbers, ALL * sizeof *numbers);
    Tensor *out = log_p_at(&t, x, at, tokens, ANSWERS);
    for (size_t i = 0; i < ROWS * ANSWERS; i++)
        CHECK_NUMBER("ln p", out->data[i], log_p(logits, i / ANSWERS, i % ANSWERS),
                     1e-5);
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    numeric_gradient(gradient, weighted, logits, ALL, 1e-5, NULL);
    CHECK_CLOSE("dlogits", x->grad, gradient, ALL, 1e-5);
    tape_free(&t);
}
