/* Tests of the worked example, one head without a mask: by hand, PyTorch's numbers, and
 * differences. */
#include "07-attention/single_head.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "tensor/gradcheck.h"

/* Two positions, one feature: scores q k^T are [[0, ln 3], [0, 0]]. */
Test(single_head, by_hand, .timeout = 10) {
    const float q[] = {1.0986123f, 0}, k[] = {0, 1}, v[] = {8, 4};
    float out[2], weights[4];
    single_head_forward(out, weights, q, k, v, 2, 1);
    CHECK_CLOSE("weights", weights, ((double[]){0.25, 0.75, 0.5, 0.5}), 4, 1e-6);
    CHECK_CLOSE("out", out, ((double[]){5, 6}), 2, 1e-6);
}

/* Each head of the golden case is one single head. */
Test(single_head, equals_pytorch, .timeout = 10) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("attention", "full_h2", "q", shape);
    size_t length = shape[2], dim = shape[3];
    const float *q = golden_float("attention", "full_h2", "q", NULL);
    const float *k = golden_float("attention", "full_h2", "k", NULL);
    const float *v = golden_float("attention", "full_h2", "v", NULL);
    const double *weights = golden("attention", "full_h2", "att", NULL);
    for (size_t h = 0; h < shape[0] * shape[1]; h++) {
        float *out = nan_floats(length * dim), *w = nan_floats(length * length);
        size_t start = h * length * dim;
        single_head_forward(out, w, q + start, k + start, v + start, length, dim);
        CHECK_CLOSE("weights", w, weights + h * length * length, length * length, 1e-5);
    }
}

enum { T = 4, D = 3, N = T * D };

/* x is q, k and v one after the other; dout is in the context. */
static double plain_loss(const double *x, size_t n, void *context) {
    const float *dout = context;
    double loss = 0;
    for (size_t t = 0; t < T; t++) {
        double e[T], sum = 0;
        for (size_t s = 0; s < T; s++) {
            double score = 0;
            for (size_t i = 0; i < D; i++) score += x[t * D + i] * x[N + s * D + i];
            sum += e[s] = exp(score / sqrt(D));
        }
        for (size_t i = 0; i < T * D; i++) {
            loss += e[i / D] / sum * x[n - N + i] * (double)dout[t * D + i % D];
        }
    }
    return loss;
}

Test(single_head, gradient_equals_differences, .timeout = 10) {
    float *x = normal_floats(3 * N, 1, 1), *dout = normal_floats(N, 1, 2),
          *d = ones_and_a_half(3 * N);
    float out[N], weights[T * T], dweights[T * T], dscores[T * T];
    double expected[3 * N];
    single_head_forward(out, weights, x, x + N, x + 2 * N, T, D);
    HeadGradients gradients = {
        .q = d, .k = d + N, .v = d + 2 * N, .weights = dweights, .scores = dscores};
    single_head_backward(&gradients, dout, weights, x, x + N, x + 2 * N, T, D);
    numeric_gradient(expected, plain_loss, as_double(x, 3 * N), 3 * N, 1e-5, dout);
    CHECK_ADDED("dq | dk | dv", d, expected, 3 * N, 1e-5);
}
