/* One attention head without a mask: see single_head.h. */
#include "07-attention/single_head.h"

#include <math.h>
#include <string.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "kernels/matmul.h"

static void scale_in_place(float *x, float factor, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] *= factor;
}

//> single_head_forward
void single_head_forward(float *out, float *weights, const float *q, const float *k,
                         const float *v, size_t length, size_t dim) {
    matmul_a_bt(weights, q, k, length, length, dim, false);
    scale_in_place(weights, 1.0f / sqrtf((float)dim), length * length);
    softmax_forward(weights, weights, length, length, 1);
    matmul(out, weights, v, length, dim, length, false);
}
//< single_head_forward

//> single_head_backward
void single_head_backward(const HeadGradients *d, const float *dout,
                          const float *weights, const float *q, const float *k,
                          const float *v, size_t length, size_t dim) {
    /* out = weights v */
    matmul_at_b(d->v, weights, dout, length, dim, length, true);
    matmul_a_bt(d->weights, dout, v, length, length, dim, false);
    /* weights = softmax(scores) */
    memset(d->scores, 0, length * length * sizeof *d->scores);
    softmax_backward(d->scores, d->weights, weights, length, length, 1);
    /* scores = q k^T / sqrt(dim) */
    scale_in_place(d->scores, 1.0f / sqrtf((float)dim), length * length);
    matmul(d->q, d->scores, k, length, dim, length, true);
    matmul_at_b(d->k, d->scores, q, length, dim, length, true);
}
//< single_head_backward
