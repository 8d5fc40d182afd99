/* An attack on 18/gqa_step: the formula in double, for a cache that is full and one
 * that is not, and for scores that exp cannot take. */
#include "18-llama/gqa_step.h"

#include <math.h>

#include "check/check.h"

enum { H = 6, KV = 2, D = 4, CAPACITY = 6, CACHE = KV * CAPACITY * D };

static void check_step(size_t length, double size) {
    float *q = normal_floats(H * D, size, 1), *keys = normal_floats(CACHE, 1, 2);
    float *values = normal_floats(CACHE, 1, 3), *out = nan_floats(H * D);
    float *scratch = nan_floats(H * CAPACITY);
    double right[H * D] = {0};
    for (size_t h = 0; h < H; h++) {
        size_t start = h / (H / KV) * CAPACITY * D;
        double scores[CAPACITY] = {0}, max = -INFINITY, sum = 0;
        for (size_t t = 0; t < length; t++) {
            for (size_t i = 0; i < D; i++)
                scores[t] +=
                    (double)q[h * D + i] * (double)keys[start + t * D + i] / sqrt(D);
            max = fmax(max, scores[t]);
        }
        for (size_t t = 0; t < length; t++) sum += exp(scores[t] - max);
        for (size_t i = 0; i < length * D; i++)
            right[h * D + i % D] +=
                exp(scores[i / D] - max) / sum * (double)values[start + i];
    }
    GroupShape shape = {H, KV, D, CAPACITY, length};
    gqa_step(out, scratch, q, keys, values, &shape);
    CHECK_CLOSE("out", out, right, H * D, size > 1 ? 1e-3 : 1e-5);
}

Test(attack, steps) {
    check_step(1, 1);
    check_step(4, 1);
    check_step(CAPACITY, 1);
    check_step(4, 300);
}

/* All scores far below 0, and equal: both tokens count the same. */
Test(attack, scores_below_0) {
    float q[2] = {30, 30}, keys[2] = {-30, -30}, values[2] = {1, 3}, out[2], scratch[4];
    GroupShape shape = {2, 1, 1, 2, 2};
    gqa_step(out, scratch, q, keys, values, &shape);
    CHECK_CLOSE("out", out, ((double[]){2, 2}), 2, 1e-5);
}

Test(attack, many_times) {
    GroupShape shape = {32, 8, 4, 3000, 3000};
    float *q = normal_floats(128, 1, 1), *keys = normal_floats(96000, 1, 2),
          *values = normal_floats(96000, 1, 3), *scratch = nan_floats(96000);
    float first[128], out[128];
    gqa_step(first, scratch, q, keys, values, &shape);
    for (int i = 0; i < 40; i++) {
        gqa_step(out, scratch, q, keys, values, &shape);
        CHECK_CLOSE("out", out, as_double(first, 128), 128, 1e-6);
    }
}
