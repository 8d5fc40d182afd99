/* Sums of rows in a fixed order: see reduce.h. The 16 lanes are one, two or four
 * vectors of the machine. */
#include "kernels/reduce.h"

#include "kernels/simd.h"

#include <math.h>
#include <string.h>

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
        for (size_t p = 0; p < PARTS; p++)
            parts[p] += floats_load(x + i + p * SIMD_WIDTH);
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
    for (size_t l = 0; i + l < n; l++)
        lanes[l] += (x[i + l] - center) * (x[i + l] - center);
    return add_lanes(lanes);
}

/* x NULL: the products of a and b alone. */
double row_sum_normalized(const float *a, const float *b, const float *x, float center,
                          float scale, size_t n) {
    /* products on the stack, so that making and adding them are vector code each */
    enum { AT_ONCE = 256 };
    double sum = 0;
    for (size_t start = 0; start < n; start += AT_ONCE) {
        size_t end = n - start < AT_ONCE ? n : start + AT_ONCE;
        float products[AT_ONCE];
        for (size_t i = start; i < end; i++) {
            float product = a[i] * (b ? b[i] : 1.0f);
            products[i - start] = x ? product * (x[i] - center) * scale : product;
        }
        sum += (double)row_sum(products, end - start);
    }
    return sum;
}

double row_sum_products(const float *a, const float *b, size_t n) {
    return row_sum_normalized(a, b, NULL, 0.0f, 1.0f, n);
}

static inline void take_larger(Floats *max, Mask *nan, const float *x) {
    Floats y = floats_load(x);
    *max = floats_max(y, *max);
    *nan |= y != y;
}

/* The largest does not depend on the order, so four vectors of it are kept: a
 * comparison waits for the one before it, but not for its neighbours'. NaN is larger
 * than nothing, so it is looked for beside them. */
float row_max(const float *x, size_t n) {
    Floats a = floats_all(-INFINITY), b = a, c = a, d = a;
    Mask nan_lanes = {0};
    size_t i = 0;
    for (; n - i >= 4 * SIMD_WIDTH; i += 4 * SIMD_WIDTH) {
        take_larger(&a, &nan_lanes, x + i);
        take_larger(&b, &nan_lanes, x + i + SIMD_WIDTH);
        take_larger(&c, &nan_lanes, x + i + 2 * SIMD_WIDTH);
        take_larger(&d, &nan_lanes, x + i + 3 * SIMD_WIDTH);
    }
    for (; n - i >= SIMD_WIDTH; i += SIMD_WIDTH) take_larger(&a, &nan_lanes, x + i);
    float max[SIMD_WIDTH];
    int nan[SIMD_WIDTH];
    floats_store(max, floats_max(floats_max(a, b), floats_max(c, d)));
    memcpy(nan, &nan_lanes, sizeof nan);
    for (size_t l = 0; i + l < n; l++) {
        max[l] = x[i + l] > max[l] ? x[i + l] : max[l];
        nan[l] |= isnan(x[i + l]);
    }
    for (size_t half = SIMD_WIDTH / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) {
            max[l] = max[l + half] > max[l] ? max[l + half] : max[l];
            nan[l] |= nan[l + half];
        }
    }
    return nan[0] ? NAN : max[0];
}
