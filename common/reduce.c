/* Sums of rows in a fixed order: see reduce.h. The 16 lanes are one, two or four vectors of the machine. */
#include "reduce.h"

#include "simd.h"

#include <math.h>
#include <stdbool.h>

enum { LANES = 16, PARTS = LANES / SIMD_WIDTH };

/* Leaves the lanes' vectors as 16 floats. */
static void store_lanes(float lanes[LANES], const Floats parts[PARTS]) {
    for (size_t p = 0; p < PARTS; p++) floats_store(lanes + p * SIMD_WIDTH, parts[p]);
}

static float add_lanes(float lanes[LANES]) {
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int l = 0; l < half; l++) lanes[l] += lanes[l + half];
    }
    return lanes[0];
}

float row_sum(const float *x, size_t n) {
    Floats parts[PARTS] = {{0}};
    float lanes[LANES];
    size_t i = 0;
    for (; n - i >= LANES; i += LANES) {
        for (size_t p = 0; p < PARTS; p++) parts[p] += floats_load(x + i + p * SIMD_WIDTH);
    }
    store_lanes(lanes, parts);
    for (size_t l = 0; i + l < n; l++) lanes[l] += x[i + l];
    return add_lanes(lanes);
}

double row_sum_double(const float *x, size_t n) {
    double lanes[LANES] = {0};
    size_t whole = n - n % LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        for (size_t l = 0; l < LANES; l++) lanes[l] += (double)x[i + l];
    }
    for (size_t i = whole; i < n; i++) lanes[i - whole] += (double)x[i];
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) lanes[l] += lanes[l + half];
    }
    return lanes[0];
}

float row_dot(const float *a, const float *b, size_t n) {
    Floats parts[PARTS] = {{0}};
    float lanes[LANES];
    size_t i = 0;
    for (; n - i >= LANES; i += LANES) {
        for (size_t p = 0; p < PARTS; p++) {
            size_t at = i + p * SIMD_WIDTH;
            parts[p] += floats_load(a + at) * floats_load(b + at);
        }
    }
    store_lanes(lanes, parts);
    for (size_t l = 0; i + l < n; l++) lanes[l] += a[i + l] * b[i + l];
    return add_lanes(lanes);
}

float row_sum_squares(const float *x, float center, size_t n) {
    Floats parts[PARTS] = {{0}}, centers = floats_all(center);
    float lanes[LANES];
    size_t i = 0;
    for (; n - i >= LANES; i += LANES) {
        for (size_t p = 0; p < PARTS; p++) {
            Floats difference = floats_load(x + i + p * SIMD_WIDTH) - centers;
            parts[p] += difference * difference;
        }
    }
    store_lanes(lanes, parts);
    for (size_t l = 0; i + l < n; l++) lanes[l] += (x[i + l] - center) * (x[i + l] - center);
    return add_lanes(lanes);
}

double row_sum_products(const float *a, const float *b, const float *c, float scale, size_t n) {
    enum { AT_ONCE = 256 }; /* products on the stack, so that making and adding them are vector code each */
    double sum = 0;
    for (size_t start = 0; start < n; start += AT_ONCE) {
        size_t end = n - start < AT_ONCE ? n : start + AT_ONCE;
        float products[AT_ONCE];
        for (size_t i = start; i < end; i++) products[i - start] = a[i] * (b ? b[i] : 1.0f) * c[i] * scale;
        sum += (double)row_sum(products, end - start);
    }
    return sum;
}

/* The largest does not depend on the order, so several are sought at once: a comparison waits for the one
 * before it, but not for its neighbours'. */
float row_max(const float *x, size_t n) {
    enum { AT_ONCE = 4, STEP = AT_ONCE * SIMD_WIDTH };
    Floats parts[AT_ONCE];
    Mask nan = {0};
    for (size_t p = 0; p < AT_ONCE; p++) parts[p] = floats_all(-INFINITY);
    size_t i = 0;
    for (; n - i >= STEP; i += STEP) {
        for (size_t p = 0; p < AT_ONCE; p++) {
            Floats y = floats_load(x + i + p * SIMD_WIDTH);
            parts[p] = floats_select(y > parts[p], y, parts[p]);
            nan |= y != y;
        }
    }
    for (size_t half = AT_ONCE / 2; half > 0; half /= 2) {
        for (size_t p = 0; p < half; p++)
            parts[p] = floats_select(parts[p + half] > parts[p], parts[p + half], parts[p]);
    }
    float max = -INFINITY;
    bool any_nan = false;
    for (size_t l = 0; l < SIMD_WIDTH; l++) {
        max = parts[0][l] > max ? parts[0][l] : max;
        any_nan |= nan[l] != 0;
    }
    for (; i < n; i++) {
        max = x[i] > max ? x[i] : max;
        any_nan |= isnan(x[i]);
    }
    return any_nan ? NAN : max;
}
