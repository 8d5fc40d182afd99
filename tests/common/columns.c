/* Tests of common/columns: every sum has the bits of the order that columns.h states,
 * on any number of threads. */
#include "kernels/columns.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "base/error.h"

/* The order as columns.h says it. x NULL: the sums of a alone. */
static void plain(float *sums, const float *a, const float *x, const float *center,
                  const float *scale, size_t rows, size_t dim) {
    size_t part = (rows + 1023) / 1024 * 64; /* at most 16 parts of whole 64s */
    for (size_t j = 0; j < dim; j++) {
        for (size_t first = 0; first < rows; first += part) {
            float sum = 0;
            for (size_t r = first; r < first + part && r < rows; r++) {
                size_t i = r * dim + j;
                sum += x ? a[i] * (x[i] - (center ? center[r] : 0)) * scale[r] : a[i];
            }
            sums[j] += sum;
        }
    }
}

typedef struct {
    size_t rows, dim;
    float *a, *x, *center, *scale;
} Inputs;

static Inputs inputs_create(size_t rows, size_t dim) {
    size_t n = rows * dim;
    return (Inputs){.rows = rows,
                    .dim = dim,
                    .a = normal_floats(n, 1, 1),
                    .x = normal_floats(n, 2, 2),
                    .center = normal_floats(rows, 1, 3),
                    .scale = normal_floats(rows, 1, 4)};
}

static void same_bits(const char *what, const float *got, const float *expected,
                      const Inputs *in) {
    for (size_t j = 0; j < in->dim; j++) {
        CHECK(memcmp(got + j, expected + j, sizeof *got) == 0,
              "%s: column %zu is %a, expected %a", with_size(what, in->rows, in->dim),
              j, (double)got[j], (double)expected[j]);
    }
}

static void check_size(size_t rows, size_t dim) {
    Inputs in = inputs_create(rows, dim);
    const float *centers[] = {in.center, NULL};
    float *sums = ones_and_a_half(dim), *expected = ones_and_a_half(dim);
    column_sums(sums, in.a, rows, dim);
    plain(expected, in.a, NULL, NULL, NULL, rows, dim);
    same_bits("sums", sums, expected, &in);
    for (size_t c = 0; c < 2; c++) {
        column_sums_normalized(sums, in.a, in.x, centers[c], in.scale, rows, dim);
        plain(expected, in.a, in.x, centers[c], in.scale, rows, dim);
        same_bits(c == 0 ? "normalized sums" : "sums without a center", sums, expected,
                  &in);
    }
}

Test(columns, sums_in_the_stated_order, .timeout = 10) {
    static const size_t rows[] = {1, 2, 63, 64, 65, 128, 1024, 1025, 2500},
                        dims[] = {1, 3, 63, 64, 65, 200};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++)
            check_size(rows[r], dims[d]);
    }
    check_size(3, 5000);
}

Test(columns, threads_change_nothing, .timeout = 10) {
#ifdef _OPENMP
    for (int threads = 1; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        check_size(600, 300);
    }
#endif
}

/* In one long sum each 1 would be lost beside 2^24; in a part of their own, they meet
 * each other first. */
Test(columns, parts_keep_small_numbers, .timeout = 10) {
    enum { ROWS = 128 };
    float a[ROWS], sum = 0;
    for (size_t r = 0; r < ROWS; r++) a[r] = r == 0 ? 0x1p24f : r < 64 ? 0.0f : 1.0f;
    column_sums(&sum, a, ROWS, 1);
    CHECK(sum == 0x1p24f + 64, "2^24 and 64 ones: %f", (double)sum);
}

Test(columns, nothing_to_add, .timeout = 10) {
    float sums[3] = {1, 2, 3};
    column_sums(sums, NULL, 0, 3);
    column_sums_normalized(sums, NULL, NULL, NULL, NULL, 0, 3);
    column_sums(NULL, NULL, 5, 0);
    CHECK(sums[0] == 1 && sums[1] == 2 && sums[2] == 3, "no rows, and the sums change");
}
