/* Tests of common/weight: every kind gives the rows and the products of its floats, to the last bit. */
#include "weight.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check.h"
#include "half.h"
#include "matmul.h"

/* All 65536 halves against the definition: sign, exponent, fraction. */
Test(weight, every_half_is_its_float, .timeout = 10) {
    for (uint32_t bits = 0; bits < 65536; bits++) {
        int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
        double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
        if (exponent == 31) value = fraction ? NAN : INFINITY;
        if (bits & 0x8000) value = -value;
        float got = half_to_float((uint16_t)bits);
        bool same = isnan(value) ? isnan(got) : (double)got == value && !signbit(got) == !signbit(value);
        CHECK(same, "half 0x%04x is %g, expected %g", bits, (double)got, value);
    }
}

Test(weight, bfloat_is_the_upper_half, .timeout = 10) {
    CHECK(bfloat_to_float(0x3f80) == 1.0f && bfloat_to_float(0xc048) == -3.125f, "0x3f80 is %g, 0xc048 is %g",
          (double)bfloat_to_float(0x3f80), (double)bfloat_to_float(0xc048));
    CHECK(bfloat_to_float(0x0001) == 0x1p-133f && isinf(bfloat_to_float(0x7f80)) &&
              isnan(bfloat_to_float(0x7fc0)),
          "the smallest, infinity or NaN is wrong");
}

/* A kind that knows nothing but how to read parts of rows in blocks of 32: w[r][c] = r - c / 8. */
static size_t no_bytes(size_t rows, size_t cols) {
    return 0 * rows * cols;
}

static void read_ramp(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    cr_assert(first % 32 == 0 && (n % 32 == 0 || first + n == w->cols), "a part from %zu, %zu long, of %zu",
              first, n, w->cols);
    for (size_t i = 0; i < n; i++) out[i] = (float)row - (float)(first + i) / 8;
}

static const WeightType ramp = {"ramp", no_bytes, read_ramp, 32, NULL, NULL};

/* Both products of n vectors against matmul of the rows as floats. */
static void check_products(const Weight *w, size_t n) {
    size_t rows = w->rows, cols = w->cols;
    float *floats = nan_floats(rows * cols), *x = normal_floats(n * (rows > cols ? rows : cols), 1, 2);
    for (size_t r = 0; r < rows; r++) weight_row(floats + r * cols, w, r);
    for (int transposed = 0; transposed < 2; transposed++) {
        size_t size = n * (transposed ? rows : cols);
        for (int add = 0; add < 2; add++) {
            float *got = normal_floats(size, 1, 3), *expected = normal_floats(size, 1, 3);
            if (transposed) {
                weight_multiply_transposed(got, x, w, n, add);
                matmul_a_bt(expected, x, floats, n, rows, cols, add);
            } else {
                weight_multiply(got, x, w, n, add);
                matmul(expected, x, floats, n, cols, rows, add);
            }
            CHECK(memcmp(got, expected, size * sizeof *got) == 0,
                  "%s %zu x %zu, %zu vectors, transposed %d, accumulate %d: other bits", w->type->name, rows,
                  cols, n, transposed, add);
            free(got), free(expected);
        }
    }
    free(floats), free(x);
}

Test(weight, products_have_the_bits_of_floats, .timeout = 60) {
    static const size_t sizes[][2] = {{1, 1}, {3, 5}, {64, 64}, {65, 33}, {100, 700}, {300, 257}, {0, 4}};
    for (int threads = 1; threads <= 3; threads++) {
#ifdef _OPENMP
        omp_set_num_threads(threads);
#endif
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t rows = sizes[s][0], cols = sizes[s][1];
            float *floats = normal_floats(rows * cols + 1, 1, 1);
            /* From an odd address on, as a file's may be. */
            char *bytes = malloc((rows * cols + 1) * sizeof(uint16_t));
            for (size_t i = 0; i < rows * cols; i++) {
                uint16_t half = (uint16_t)((i * 40503 + 77) % 0x7c00 | (i % 3 ? 0 : 0x8000));
                memcpy(bytes + 1 + i * sizeof half, &half, sizeof half);
            }
            for (size_t n = 1; n <= 13; n += 4) {
                check_products(&(Weight){&weight_f16, bytes + 1, rows, cols}, n);
                check_products(&(Weight){&weight_bf16, bytes + 1, rows, cols}, n);
                check_products(&(Weight){&ramp, NULL, rows, cols}, n);
                Weight plain = weight_of_floats(floats, rows, cols);
                check_products(&plain, n);
            }
            free(floats), free(bytes);
        }
    }
}

Test(weight, a_tensor_is_a_weight, .timeout = 10) {
    float data[6] = {1, 2, 3, 4, 5, 6}, row[3];
    Tensor x = {.ndim = 2, .shape = {2, 3}, .data = data};
    Weight w = tensor_weight(&x);
    weight_row(row, &w, 1);
    CHECK(weight_bytes(&w) == 24 && row[0] == 4 && row[2] == 6, "%zu bytes, row 1 is %g %g %g",
          weight_bytes(&w), (double)row[0], (double)row[1], (double)row[2]);
    Weight half = {&weight_f16, (uint16_t[]){0x3c00, 0x4000, 0xc000, 0}, 2, 2};
    Tensor stored = {.ndim = 2, .shape = {2, 2}, .stored = &half};
    w = tensor_weight(&stored);
    weight_row(row, &w, 0);
    CHECK(weight_bytes(&w) == 8 && row[0] == 1 && row[1] == 2, "%zu bytes, row 0 is %g %g", weight_bytes(&w),
          (double)row[0], (double)row[1]);
}
