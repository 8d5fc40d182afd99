/* The header's sentence, for one element at a time. */
#include "05-residual-blocks/dropout.h"

#include <stdbool.h>

static bool is_dropped(const Random *random, size_t i, float p) {
    return (float)(random_at(random, random->next + i) >> 8) * 0x1p-24f < p;
}

void dropout_forward(float *out, const float *x, size_t n, float p,
                     const Random *random) {
    for (size_t i = 0; i < n; i++)
        out[i] = is_dropped(random, i, p) ? 0.0f : x[i] / (1.0f - p);
}

void dropout_backward(float *dx, const float *dout, size_t n, float p,
                      const Random *random) {
    for (size_t i = 0; i < n; i++) {
        if (is_dropped(random, i, p)) continue;
        dx[i] += dout[i] / (1.0f - p);
    }
}
