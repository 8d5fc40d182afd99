/* Softmax and cross-entropy. Before you read on: make hint-00 EX=softmax_cross_entropy */
#include "00-tensors/softmax_cross_entropy.h"

#include "fmath.h"
#include "reduce.h"

enum { PART = 256 };

/* Writes exp(x - max) to out [n] and returns their sum; without `keep` only the sum is wanted, and out has
 * room for one part. Some are done at a time: a loop that only takes exponentials becomes vector code, and
 * one that adds each to a sum does not. What follows x is the next row: it is fetched meanwhile, line by line
 * of the cache. */
static double exponentials(float *out, const float *x, float max, size_t n, bool keep) {
    const size_t line = 16; /* floats */
    double sum = 0;
    for (size_t start = 0; start < n; start += PART) {
        size_t count = n - start < PART ? n - start : PART;
        float *e = keep ? out + start : out;
        for (size_t i = 0; i < count; i += line) __builtin_prefetch(x + n + start + i);
        for (size_t i = 0; i < count; i++) e[i] = exp_float(x[start + i] - max);
        sum += (double)row_sum(e, count);
    }
    return sum;
}

/* The softmax of a row. Without taking off the largest number, exp would overflow at 89. */
static void softmax_row(float *out, const float *x, size_t n) {
    double sum = exponentials(out, x, row_max(x, n), n, true);
    float scale = (float)(1.0 / sum);
    for (size_t i = 0; i < n; i++) out[i] *= scale;
}

static void softmax_row_backward(float *dx, const float *dout, const float *out, size_t n) {
    float sum = row_dot(dout, out, n);
    for (size_t i = 0; i < n; i++) dx[i] += out[i] * (dout[i] - sum);
}

/* The same over another axis than the last: the numbers of a line lie `stride` apart. Lines beside each other
 * are done together, at most LINES of them, each in an element of the arrays below. */
enum { LINES = 128 };

static void softmax_lines(float *out, const float *x, size_t n, size_t stride, size_t lines) {
    float max[LINES], scale[LINES];
    double sum[LINES] = {0};
    for (size_t l = 0; l < lines; l++) max[l] = x[l];
    for (size_t i = 0; i < n * stride; i += stride) {
        for (size_t l = 0; l < lines; l++) max[l] = x[i + l] > max[l] ? x[i + l] : max[l];
    }
    for (size_t i = 0; i < n * stride; i += stride) {
        for (size_t l = 0; l < lines; l++) out[i + l] = exp_float(x[i + l] - max[l]);
    }
    /* Not in the loop above: reading in other pieces what was written just now has to wait for it. */
    for (size_t i = 0; i < n * stride; i += stride) {
        for (size_t l = 0; l < lines; l++) sum[l] += (double)out[i + l];
    }
    for (size_t l = 0; l < lines; l++) scale[l] = (float)(1.0 / sum[l]);
    for (size_t i = 0; i < n * stride; i += stride) {
        for (size_t l = 0; l < lines; l++) out[i + l] *= scale[l];
    }
}

static void softmax_lines_backward(float *dx, const float *dout, const float *out, size_t n, size_t stride,
                                   size_t lines) {
    double sum[LINES] = {0};
    for (size_t i = 0; i < n * stride; i += stride) {
        for (size_t l = 0; l < lines; l++) sum[l] += (double)(dout[i + l] * out[i + l]);
    }
    for (size_t i = 0; i < n * stride; i += stride) {
        for (size_t l = 0; l < lines; l++) dx[i + l] += out[i + l] * (dout[i + l] - (float)sum[l]);
    }
}

void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner) {
#pragma omp parallel for collapse(2) if (outer * n * inner > 1 << 14)
    for (size_t o = 0; o < outer; o++) {
        for (size_t first = 0; first < inner; first += LINES) {
            size_t start = o * n * inner + first, lines = inner - first < LINES ? inner - first : LINES;
            if (inner == 1) {
                softmax_row(out + start, x + start, n);
            } else {
                softmax_lines(out + start, x + start, n, inner, lines);
            }
        }
    }
}

void softmax_backward(float *dx, const float *dout, const float *out, size_t outer, size_t n, size_t inner) {
#pragma omp parallel for collapse(2) if (outer * n * inner > 1 << 14)
    for (size_t o = 0; o < outer; o++) {
        for (size_t first = 0; first < inner; first += LINES) {
            size_t start = o * n * inner + first, lines = inner - first < LINES ? inner - first : LINES;
            if (inner == 1) {
                softmax_row_backward(dx + start, dout + start, out + start, n);
            } else {
                softmax_lines_backward(dx + start, dout + start, out + start, n, inner, lines);
            }
        }
    }
}

float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets, size_t rows,
                            size_t n_classes) {
#pragma omp parallel for if (rows * n_classes > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = logits + r * n_classes;
        float max = row_max(row, n_classes);
        float room[PART];
        logsumexp[r] = max + (float)log_double(exponentials(room, row, max, n_classes, false));
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
