/* Tests of common/reduce: every sum has the bits of the order that reduce.h states, for
 * every vector width. */
#include "kernels/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

enum { LANES = 16, LONGEST = 300 };

static float tree(float lanes[LANES]) {
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) lanes[l] += lanes[l + half];
    }
    return lanes[0];
}

/* The order as reduce.h says it, one element after the other. */
static float plain_sum(const float *x, size_t n) {
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++) lanes[i % LANES] += x[i];
    return tree(lanes);
}

static double plain_sum_double(const float *x, size_t n) {
    double lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++) lanes[i % LANES] += (double)x[i];
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t l = 0; l < half; l++) lanes[l] += lanes[l + half];
    }
    return lanes[0];
}

static float plain_dot(const float *a, const float *b, size_t n) {
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++) lanes[i % LANES] += a[i] * b[i];
    return tree(lanes);
}

static float plain_sum_squares(const float *x, float center, size_t n) {
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++)
        lanes[i % LANES] += (x[i] - center) * (x[i] - center);
    return tree(lanes);
}

/* The products of 256 elements at a time are added in the order of row_sum, and those
 * sums one by one. Without x, a[i] * b[i] alone. */
static double plain_sum_products(const float *a, const float *b, const float *x,
                                 float center, float scale, size_t n) {
    double sum = 0;
    for (size_t start = 0; start < n; start += 256) {
        float products[256];
        size_t count = n - start < 256 ? n - start : 256;
        for (size_t i = 0; i < count; i++) {
            products[i] = b ? a[start + i] * b[start + i] : a[start + i];
            if (x) products[i] = products[i] * (x[start + i] - center) * scale;
        }
        sum += (double)plain_sum(products, count);
    }
    return sum;
}

#define SAME_DOUBLE(got, expected, n, offset)                                          \
    do {                                                                               \
        double got_ = (got), expected_ = (expected);                                   \
        CHECK(memcmp(&got_, &expected_, sizeof got_) == 0,                             \
              "%s, n = %zu, offset %zu: %a, expected %a", #got, (size_t)(n),           \
              (size_t)(offset), got_, expected_);                                      \
    } while (0)

#define SAME_BITS(got, expected, n, offset)                                            \
    do {                                                                               \
        float got_ = (got), expected_ = (expected);                                    \
        CHECK(memcmp(&got_, &expected_, sizeof got_) == 0,                             \
              "%s, n = %zu, offset %zu: %a, expected %a", #got, (size_t)(n),           \
              (size_t)(offset), (double)got_, (double)expected_);                      \
    } while (0)

Test(reduce, sums_in_the_stated_order, .timeout = 10) {
    float *x = normal_floats(LONGEST + 4, 1, 1), *y = normal_floats(LONGEST + 4, 1, 2);
    for (size_t offset = 0; offset < 4; offset++) {
        for (size_t n = 0; n <= LONGEST; n++) {
            const float *a = x + offset, *b = y + 3 - offset;
            SAME_BITS(row_sum(a, n), plain_sum(a, n), n, offset);
            SAME_DOUBLE(row_sum_double(a, n), plain_sum_double(a, n), n, offset);
            SAME_BITS(row_dot(a, b, n), plain_dot(a, b, n), n, offset);
            SAME_BITS(row_sum_squares(a, 0.3f, n), plain_sum_squares(a, 0.3f, n), n,
                      offset);
            for (int with_b = 0; with_b < 2; with_b++) {
                const float *factor = with_b ? b : NULL;
                SAME_DOUBLE(row_sum_products(a, factor, n),
                            plain_sum_products(a, factor, NULL, 0, 0, n), n, offset);
                SAME_DOUBLE(row_sum_normalized(a, factor, x, 0.2f, 0.3f, n),
                            plain_sum_products(a, factor, x, 0.2f, 0.3f, n), n, offset);
            }
        }
    }
    free(x);
    free(y);
}

Test(reduce, long_rows, .timeout = 10) {
    enum { N = 50257 };
    float *x = normal_floats(N, 100, 3), *y = normal_floats(N, 1, 4);
    SAME_BITS(row_sum(x, N), plain_sum(x, N), N, 0);
    SAME_BITS(row_dot(x, y, N), plain_dot(x, y, N), N, 0);
    SAME_BITS(row_sum_squares(x, 20, N), plain_sum_squares(x, 20, N), N, 0);
    double exact = 0;
    for (size_t i = 0; i < N; i++) exact += (double)x[i];
    CHECK_NUMBER("row_sum", row_sum(x, N), exact, 1e-4);
    free(x);
    free(y);
}

/* In one pass from left to right, each 1 would be lost beside 2^24; in lanes, they meet
 * each other first. */
Test(reduce, the_order_is_by_lanes, .timeout = 10) {
    float x[64];
    for (size_t i = 0; i < 64; i++)
        x[i] = i % LANES == 0 ? (i == 0 ? 0x1p24f : 0.0f) : 1.0f;
    SAME_BITS(row_sum(x, 64), 0x1p24f + 60.0f, 64, 0);
}

Test(reduce, empty_rows_and_zeros, .timeout = 10) {
    SAME_BITS(row_sum(NULL, 0), 0.0f, 0, 0);
    SAME_BITS(row_dot(NULL, NULL, 0), 0.0f, 0, 0);
    SAME_BITS(row_sum_squares(NULL, 5.0f, 0), 0.0f, 0, 0);
    SAME_BITS(row_max(NULL, 0), -INFINITY, 0, 0);
    SAME_DOUBLE(row_sum_products(NULL, NULL, 0), 0.0, 0, 0);
    SAME_DOUBLE(row_sum_normalized(NULL, NULL, NULL, 5.0f, 2.0f, 0), 0.0, 0, 0);
    SAME_BITS(row_sum_squares((float[]){INFINITY, 3}, 3.0f, 2), INFINITY, 2, 0);
}

Test(reduce, infinities_and_nan_come_through, .timeout = 10) {
    for (size_t n = 1; n < 70; n++) {
        for (size_t at = 0; at < n; at++) {
            float x[70] = {0};
            x[at] = INFINITY;
            CHECK(row_sum(x, n) == INFINITY && row_max(x, n) == INFINITY,
                  "n = %zu: infinity at %zu lost", n, at);
            x[at] = NAN;
            CHECK(isnan(row_sum(x, n)) && isnan(row_dot(x, x, n)) &&
                      isnan(row_sum_squares(x, 0, n)),
                  "n = %zu: the sum loses a NaN at %zu", n, at);
            CHECK(isnan(row_max(x, n)), "n = %zu: row_max loses a NaN at %zu", n, at);
        }
    }
}

Test(reduce, max_wherever_it_is, .timeout = 10) {
    for (size_t n = 1; n < 70; n++) {
        for (size_t at = 0; at < n; at++) {
            float x[71];
            for (size_t i = 0; i < 71; i++) x[i] = -2.0f - (float)i;
            x[at] = -1.5f;
            x[n] = 99.0f; /* beyond the row */
            CHECK(row_max(x, n) == -1.5f,
                  "n = %zu: row_max is %g, expected -1.5, which is at %zu", n,
                  (double)row_max(x, n), at);
        }
    }
}
