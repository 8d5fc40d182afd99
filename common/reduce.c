/* Sums of rows in a fixed order: see reduce.h. */
#include "reduce.h"

#include <math.h>

enum { LANES = 16 };

static float add_lanes(float lanes[LANES]) {
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int l = 0; l < half; l++) lanes[l] += lanes[l + half];
    }
    return lanes[0];
}

float row_sum(const float *x, size_t n) {
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++) lanes[i % LANES] += x[i];
    return add_lanes(lanes);
}

float row_dot(const float *a, const float *b, size_t n) {
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++) lanes[i % LANES] += a[i] * b[i];
    return add_lanes(lanes);
}

float row_sum_squares(const float *x, float center, size_t n) {
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++) lanes[i % LANES] += (x[i] - center) * (x[i] - center);
    return add_lanes(lanes);
}

float row_max(const float *x, size_t n) {
    float max = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (x[i] > max || isnan(x[i])) max = x[i];
        if (isnan(max)) return max;
    }
    return max;
}
