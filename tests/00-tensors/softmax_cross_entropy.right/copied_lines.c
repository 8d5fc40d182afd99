/* Each line is copied to where its elements stand side by side, and back. */
#include "00-tensors/softmax_cross_entropy.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/softmax.h"

void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner) {
    float *line = checked_alloc(n, sizeof *line);
    for (size_t o = 0; o < outer; o++) {
        for (size_t j = 0; j < inner; j++) {
            for (size_t i = 0; i < n; i++) line[i] = x[(o * n + i) * inner + j];
            row_softmax(line, line, n, 1.0f);
            for (size_t i = 0; i < n; i++) out[(o * n + i) * inner + j] = line[i];
        }
    }
    free(line);
}

void softmax_backward(float *dx, const float *dout, const float *out, size_t outer,
                      size_t n, size_t inner) {
    for (size_t o = 0; o < outer; o++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < inner; j++) {
                size_t here = (o * n + i) * inner + j;
                double sum = 0;
                for (size_t k = 0; k < n; k++) {
                    size_t there = (o * n + k) * inner + j;
                    sum += (double)dout[there] * (double)out[there];
                }
                dx[here] += dout[here] * out[here] - out[here] * (float)sum;
            }
        }
    }
}

float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets,
                            size_t rows, size_t n_classes) {
    double loss = 0;
    int counted = 0;
    for (size_t r = 0; r < rows; r++) {
        logsumexp[r] = row_logsumexp(logits + r * n_classes, n_classes);
        if (targets[r] == IGNORE_TARGET) continue;
        loss -=
            (double)logits[r * n_classes + (size_t)targets[r]] - (double)logsumexp[r];
        counted++;
    }
    return counted ? (float)(loss / counted) : NAN;
}

void cross_entropy_backward(float *dlogits, float dloss, const float *logits,
                            const float *logsumexp, const int *targets, size_t rows,
                            size_t n_classes) {
    float counted = 0;
    for (size_t r = 0; r < rows; r++)
        counted += targets[r] == IGNORE_TARGET ? 0.0f : 1.0f;
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] == IGNORE_TARGET) continue;
        for (size_t i = 0; i < n_classes; i++) {
            float p = expf(logits[r * n_classes + i] - logsumexp[r]);
            dlogits[r * n_classes + i] +=
                dloss * (p - (i == (size_t)targets[r] ? 1.0f : 0.0f)) / counted;
        }
    }
}
