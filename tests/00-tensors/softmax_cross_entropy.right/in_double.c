/* Sums and exponentials in double; the probabilities of a row are made anew where they
 * are needed. */
#include "00-tensors/softmax_cross_entropy.h"

#include <math.h>

static double log_of_sum(const float *x, size_t n, size_t stride) {
    double max = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) max = fmax(max, (double)x[i * stride]);
    for (size_t i = 0; i < n; i++) sum += exp((double)x[i * stride] - max);
    return max + log(sum);
}

void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner) {
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start = line / inner * n * inner + line % inner;
        double log_sum = log_of_sum(x + start, n, inner);
        for (size_t i = 0; i < n; i++)
            out[start + i * inner] = (float)exp((double)x[start + i * inner] - log_sum);
    }
}

void softmax_backward(float *dx, const float *dout, const float *out, size_t outer,
                      size_t n, size_t inner) {
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start = line / inner * n * inner + line % inner;
        double sum = 0;
        for (size_t i = start; i < start + n * inner; i += inner)
            sum += (double)dout[i] * (double)out[i];
        for (size_t i = start; i < start + n * inner; i += inner)
            dx[i] += (float)((double)out[i] * ((double)dout[i] - sum));
    }
}

static size_t rows_that_count(const int *targets, size_t rows) {
    size_t n = 0;
    for (size_t r = 0; r < rows; r++) n += targets[r] != IGNORE_TARGET;
    return n;
}

float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets,
                            size_t rows, size_t n_classes) {
    double loss = 0;
    for (size_t r = 0; r < rows; r++) {
        double log_sum = log_of_sum(logits + r * n_classes, n_classes, 1);
        logsumexp[r] = (float)log_sum;
        if (targets[r] != IGNORE_TARGET)
            loss += log_sum - (double)logits[r * n_classes + (size_t)targets[r]];
    }
    return (float)(loss / (double)rows_that_count(targets, rows));
}

void cross_entropy_backward(float *dlogits, float dloss, const float *logits,
                            const float *logsumexp, const int *targets, size_t rows,
                            size_t n_classes) {
    double scale = (double)dloss / (double)rows_that_count(targets, rows);
    for (size_t k = 0; k < rows * n_classes; k++) {
        int target = targets[k / n_classes];
        if (target == IGNORE_TARGET) continue;
        double p = exp((double)logits[k] - (double)logsumexp[k / n_classes]);
        dlogits[k] += (float)(scale * (p - (k % n_classes == (size_t)target)));
    }
}
