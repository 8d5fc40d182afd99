/* Softmax and cross-entropy. Before you read on: make hint-00 EX=softmax_cross_entropy */
#include "00-tensors/softmax_cross_entropy.h"

#include "fmath.h"
#include "reduce.h"

static void softmax_line(float *out, const float *x, size_t n, size_t stride) {
    float max = x[0];
    for (size_t i = 1; i < n; i++) max = x[i * stride] > max ? x[i * stride] : max;
    double sum = 0;
    for (size_t i = 0; i < n; i++) out[i * stride] = exp_float(x[i * stride] - max);
    for (size_t i = 0; i < n; i++) sum += (double)out[i * stride];
    float scale = (float)(1.0 / sum);
    for (size_t i = 0; i < n; i++) out[i * stride] *= scale;
}

void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner) {
#pragma omp parallel for if (outer * n * inner > 1 << 14)
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start = line / inner * n * inner + line % inner;
        softmax_line(out + start, x + start, n, inner);
    }
}

void softmax_backward(float *dx, const float *dout, const float *out, size_t outer, size_t n, size_t inner) {
#pragma omp parallel for if (outer * n * inner > 1 << 14)
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start = line / inner * n * inner + line % inner;
        const float *p = out + start, *dp = dout + start;
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += (double)(dp[i * inner] * p[i * inner]);
        for (size_t i = 0; i < n; i++) dx[start + i * inner] += p[i * inner] * (dp[i * inner] - (float)sum);
    }
}

/* The sum of exp(x - max), some at a time: a loop that only takes exponentials becomes vector code, and one
 * that adds each to a sum does not. */
static double sum_exp(const float *x, float max, size_t n) {
    enum { PART = 256 };
    float e[PART];
    double sum = 0;
    for (size_t start = 0; start < n; start += PART) {
        size_t count = n - start < PART ? n - start : PART;
        for (size_t i = 0; i < count; i++) e[i] = exp_float(x[start + i] - max);
        sum += (double)row_sum(e, count);
    }
    return sum;
}

float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets, size_t rows,
                            size_t n_classes) {
#pragma omp parallel for if (rows * n_classes > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = logits + r * n_classes;
        float max = row_max(row, n_classes);
        logsumexp[r] = max + (float)log_double(sum_exp(row, max, n_classes));
    }
    double loss = 0;
    size_t counted = 0;
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] == IGNORE_TARGET) continue;
        loss += (double)logsumexp[r] - (double)logits[r * n_classes + (size_t)targets[r]];
        counted++;
    }
    return (float)(loss / (double)counted);
}

void cross_entropy_backward(float *dlogits, float dloss, const float *logits, const float *logsumexp,
                            const int *targets, size_t rows, size_t n_classes) {
    size_t counted = 0;
    for (size_t r = 0; r < rows; r++) counted += targets[r] != IGNORE_TARGET;
    float scale = dloss / (float)counted;
#pragma omp parallel for if (rows * n_classes > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] == IGNORE_TARGET) continue;
        const float *row = logits + r * n_classes;
        float *drow = dlogits + r * n_classes;
        for (size_t i = 0; i < n_classes; i++) drow[i] += scale * exp_float(row[i] - logsumexp[r]);
        drow[targets[r]] -= scale;
    }
}
