/* The largest number and the sum in one pass; the sum shrinks when a larger number
 * comes. */
#include "00-tensors/softmax_cross_entropy.h"
#include <math.h>
#include "math/fmath.h"
static void online(float *out, const float *x, size_t n, size_t step) {
    double max = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) {
        double v = (double)x[i * step];
        if (v > max) {
            sum = sum * exp(max - v) + 1;
            max = v;
        } else if (v > -INFINITY) {
            sum += exp(v - max);
        }
    }
    for (size_t i = 0; i < n; i++)
        out[i * step] = (float)(exp((double)x[i * step] - max) / sum);
}
void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner) {
#pragma omp parallel for
    for (size_t line = 0; line < outer * inner; line++) {
        size_t at = line / inner * n * inner + line % inner;
        online(out + at, x + at, n, inner);
    }
}
void softmax_backward(float *dx, const float *dout, const float *out, size_t outer,
                      size_t n, size_t inner) {
    for (size_t o = 0; o < outer; o++) {
        for (size_t j = 0; j < inner; j++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++) {
                size_t at = (o * n + i) * inner + j;
                dot += (double)dout[at] * (double)out[at];
            }
            for (size_t i = 0; i < n; i++) {
                size_t at = (o * n + i) * inner + j;
                dx[at] += (float)((double)out[at] * ((double)dout[at] - dot));
            }
        }
    }
}
float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets,
                            size_t rows, size_t n_classes) {
    double total = 0;
    size_t used = 0;
    for (size_t r = 0; r < rows; r++) {
        const float *row = logits + r * n_classes;
        double max = -INFINITY, sum = 0;
        for (size_t c = 0; c < n_classes; c++) max = fmax(max, (double)row[c]);
        for (size_t c = 0; c < n_classes; c++) sum += exp((double)row[c] - max);
        double lse = max + log(sum);
        logsumexp[r] = (float)lse;
        if (targets[r] == IGNORE_TARGET) continue;
        total += lse - (double)row[targets[r]];
        used++;
    }
    return used ? (float)(total / (double)used) : NAN;
}
void cross_entropy_backward(float *dlogits, float dloss, const float *logits,
                            const float *logsumexp, const int *targets, size_t rows,
                            size_t n_classes) {
    size_t used = 0;
    for (size_t r = 0; r < rows; r++)
        if (targets[r] != IGNORE_TARGET) used++;
    if (used == 0) return;
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] == IGNORE_TARGET) continue;
        for (size_t c = 0; c < n_classes; c++) {
            size_t at = r * n_classes + c;
            float p = exp_float(logits[at] - logsumexp[r]);
            if ((int)c == targets[r]) p -= 1.0f;
            dlogits[at] += dloss * p / (float)used;
        }
    }
}
