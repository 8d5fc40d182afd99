/* An attack on 13/attention_step: the formula in double, for a cache that is full and
 * one that is not, and for scores that exp cannot take. Behind what is held the cache
 * has other numbers. */
#include "13-kv-cache/attention_step.h"

#include <math.h>

#include "check/check.h"

enum { H = 3, D = 4, CAPACITY = 6, CACHE = H * CAPACITY * D };

static void check_step(size_t length, float size) {
    float *q = normal_floats(H * D, (double)size, 1),
          *keys = normal_floats(CACHE, 1, 2);
    float *values = normal_floats(CACHE, 1, 3), *out = nan_floats(H * D);
    float *scratch = nan_floats(H * CAPACITY);
    double right[H * D] = {0};
    for (size_t h = 0; h < H; h++) {
        double scores[CAPACITY] = {0}, max = -INFINITY, sum = 0;
        for (size_t s = 0; s < length; s++) {
            for (size_t i = 0; i < D; i++)
                scores[s] += (double)q[h * D + i] *
                             (double)keys[(h * CAPACITY + s) * D + i] / sqrt(D);
            max = fmax(max, scores[s]);
        }
        for (size_t s = 0; s < length; s++) sum += exp(scores[s] - max);
        for (size_t i = 0; i < length * D; i++)
            right[h * D + i % D] +=
                exp(scores[i / D] - max) / sum * (double)values[h * CAPACITY * D + i];
    }
    attention_step(out, scratch, q, keys, values, H, D, CAPACITY, length);
    CHECK_CLOSE("out", out, right, H * D, size > 1 ? 1e-3 : 1e-5);
}

Test(attack, steps) {
    check_step(1, 1);
    check_step(4, 1);
    check_step(CAPACITY, 1);
    check_step(4, 300);
}
