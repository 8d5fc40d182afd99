/* Softmax and cross-entropy. Before you read on: make hint-00
 * EX=softmax_cross_entropy */
#include "00-tensors/softmax_cross_entropy.h"

#include "math/fmath.h"
#include "kernels/softmax.h"

void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner) {
#pragma omp parallel for collapse(2) if (outer * n * inner > 1 << 14)
    for (size_t o = 0; o < outer; o++) {
        for (size_t j = 0; j < inner; j++) {
            size_t start = o * n * inner + j, end = start + n * inner;
            /* the largest number: without taking it off, exp would overflow at 89 */
            float max = -INFINITY;
            for (size_t i = start; i < end; i += inner) max = x[i] > max ? x[i] : max;
            /* exp(x - max), and the sum of it */
            double sum = 0;
            for (size_t i = start; i < end; i += inner) {
                out[i] = exp_float(x[i] - max);
                sum += (double)out[i];
            }
            /* divided by that sum */
            float factor = (float)(1.0 / sum);
            for (size_t i = start; i < end; i += inner) out[i] *= factor;
        }
    }
}

void softmax_backward(float *dx, const float *dout, const float *out, size_t outer,
                      size_t n, size_t inner) {
#pragma omp parallel for collapse(2) if (outer * n * inner > 1 << 14)
    for (size_t o = 0; o < outer; o++) {
        for (size_t j = 0; j < inner; j++) {
            size_t start = o * n * inner + j, end = start + n * inner;
            /* dx = out * (dout - sum of dout * out) */
            double total = 0;
            for (size_t i = start; i < end; i += inner)
                total += (double)(dout[i] * out[i]);
            float sum = (float)total;
            for (size_t i = start; i < end; i += inner)
                dx[i] += out[i] * (dout[i] - sum);
        }
    }
}

float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets,
                            size_t rows, size_t n_classes) {
#pragma omp parallel for if (rows * n_classes > 1 << 14)
    for (size_t r = 0; r < rows; r++)
        logsumexp[r] = row_logsumexp(logits + r * n_classes, n_classes);
    /* -ln softmax(logits)[target] = logsumexp - logits[target], averaged over the rows
     * that count */
    double loss = 0;
    size_t counted = 0;
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] == IGNORE_TARGET) continue;
        loss +=
            (double)logsumexp[r] - (double)logits[r * n_classes + (size_t)targets[r]];
        counted++;
    }
    return (float)(loss / (double)counted);
}

void cross_entropy_backward(float *dlogits, float dloss, const float *logits,
                            const float *logsumexp, const int *targets, size_t rows,
                            size_t n_classes) {
    size_t counted = 0;
    for (size_t r = 0; r < rows; r++) counted += targets[r] != IGNORE_TARGET;
    float scale = dloss / (float)counted;
#pragma omp parallel for if (rows * n_classes > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] == IGNORE_TARGET) continue;
        const float *row = logits + r * n_classes;
        float *drow = dlogits + r * n_classes;
        /* softmax - onehot(target) */
        for (size_t i = 0; i < n_classes; i++)
            drow[i] += scale * exp_float(row[i] - logsumexp[r]);
        drow[targets[r]] -= scale;
    }
}
