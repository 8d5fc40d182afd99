/* Tests of common/matmul: every element has the bits
 * of matmul_plain, a loop of fused multiply-adds in the order of k. */
#include "kernels/matmul.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "math/random.h"
#include "kernels/threads.h"

typedef enum { A_B, AT_B, A_BT, WITH_BIAS, FORMS } Form;
static const char *const form_names[] = {"matmul", "matmul_at_b", "matmul_a_bt",
                                         "matmul_bias"};

static void multiply(Form form, float *c, const float *a, const float *b, size_t m,
                     size_t n, size_t k, bool add) {
    if (form == A_B) matmul(c, a, b, m, n, k, add);
    if (form == AT_B) matmul_at_b(c, a, b, m, n, k, add);
    if (form == A_BT) matmul_a_bt(c, a, b, m, n, k, add);
    if (form == WITH_BIAS) matmul_bias(c, a, b, add ? b : NULL, m, n, k);
}

/* matmul_plain, and the same for the other forms. The bias is B's first numbers. */
static void multiply_plainly(Form form, float *c, const float *a, const float *b,
                             size_t m, size_t n, size_t k, bool add) {
    if (form == A_B) {
        matmul_plain(c, a, b, m, n, k, add);
        return;
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            float sum = !add ? 0.0f : form == WITH_BIAS ? b[j] : c[i * n + j];
            for (size_t l = 0; l < k; l++) {
                sum = fmaf(form == AT_B ? a[l * m + i] : a[i * k + l],
                           form == A_BT ? b[j * k + l] : b[l * n + j], sum);
            }
            c[i * n + j] = sum;
        }
    }
}

/* Normal numbers with some zeros of both signs, very small and very large ones among
 * them. */
static float *mixed_floats(size_t n, unsigned seed) {
    float *x = normal_floats(n, 1, seed);
    Random r = random_stream(seed, 99);
    for (size_t i = 0; i < n; i++) {
        uint32_t kind = random_below(&r, 64);
        if (kind == 0) x[i] = 0.0f;
        if (kind == 1) x[i] = -0.0f;
        if (kind == 2) x[i] *= 1e-39f;
        if (kind == 3) x[i] *= 1e+15f;
    }
    return x;
}

enum { MARGIN = 64 };

/* Compares all forms with the plain loops, with `threads` threads, at addresses of no
 * particular alignment. What lies around C must not change. */
static void check_size(size_t m, size_t n, size_t k, int threads) {
    threads_use((size_t)threads);
    float *a = mixed_floats(m * k + 3, 1), *b = mixed_floats((k + 1) * n + 3, 2);
    float *start = mixed_floats(m * n + 2 * MARGIN, 3);
    size_t bytes = (m * n + 2 * MARGIN) * sizeof(float);
    float *got = malloc(bytes), *expected = malloc(bytes);
    for (int form = 0; form < FORMS; form++) {
        for (int add = 0; add < 2; add++) {
            memcpy(got, start, bytes);
            memcpy(expected, start, bytes);
            multiply((Form)form, got + MARGIN - 1, a + 1, b + 3, m, n, k, add);
            multiply_plainly((Form)form, expected + MARGIN - 1, a + 1, b + 3, m, n, k,
                             add);
            for (size_t i = 0; i < m * n + 2 * MARGIN; i++) {
                if (memcmp(got + i, expected + i, sizeof(float)) == 0) continue;
                bool inside = i >= MARGIN - 1 && i < MARGIN - 1 + m * n;
                size_t at = i - (MARGIN - 1);
                cr_assert_fail("%s of %zu x %zu x %zu (m x n x k), accumulate %d, %d "
                               "threads: C[%zu, %zu]%s is %a, "
                               "expected %a",
                               form_names[form], m, n, k, add, threads,
                               inside ? at / n : 0, inside ? at % n : 0,
                               inside ? "" : " is right, but a float beside C",
                               (double)got[i], (double)expected[i]);
            }
        }
    }
    free(a);
    free(b);
    free(start);
    free(got);
    free(expected);
}

static const size_t small[] = {1,  2,  3,  5,  7,  8,  9,  15, 16,
                               17, 31, 33, 47, 48, 49, 64, 100};
enum { SMALL = sizeof small / sizeof *small };

/* One in five of all combinations of 17 sizes, in which every pair of two sizes comes
 * up. */
Test(matmul, bits_of_small_products, .timeout = 120) {
    for (size_t s = 0; s < SMALL * SMALL * SMALL; s += 5) {
        check_size(small[s % SMALL], small[s / SMALL % SMALL], small[s / SMALL / SMALL],
                   1);
    }
}

/* Past the edges of what is packed at a time: k and n, rows of a transposed A, a strip
 * of C. */
Test(matmul, bits_of_larger_products, .timeout = 120) {
    static const size_t sizes[][3] = {
        {9, 49, 255},  {9, 49, 256},  {9, 49, 257},   {13, 50, 513},   {70, 33, 1000},
        {17, 479, 20}, {17, 481, 20}, {65, 961, 300}, {130, 100, 259}, {1, 16400, 21},
        {1, 40, 3000}, {3, 5500, 37}, {8, 2100, 66},  {200, 1, 700},   {1, 1, 5000},
        {1, 64, 700},  {3, 60, 200},  {12, 64, 300},  {20, 63, 1100}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int threads = 1; threads <= 3; threads++)
            check_size(sizes[s][0], sizes[s][1], sizes[s][2], threads);
    }
}

/* Large enough to be split; the rectangles meet at different places each time. */
Test(matmul, bits_do_not_depend_on_threads, .timeout = 120) {
    static const int threads[] = {1, 2, 3, 4, 5, 7, 12};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        check_size(101, 97, 67, threads[t]);
        check_size(300, 20, 70, threads[t]);
        check_size(20, 300, 70, threads[t]);
        check_size(2, 1000, 200, threads[t]);
    }
}

/* A product inside a parallel region is computed by the thread that asks for it. */
Test(matmul, inside_a_parallel_loop, .timeout = 60) {
    enum { N = 70, PRODUCTS = 8 };
    threads_use(3);
    float *a = normal_floats(N * N, 1, 1), *b = normal_floats(PRODUCTS * N * N, 1, 2);
    float *got = nan_floats(PRODUCTS * N * N), *expected = nan_floats(N * N);
#pragma omp parallel for
    for (size_t p = 0; p < PRODUCTS; p++)
        matmul(got + p * N * N, a, b + p * N * N, N, N, N, false);
    for (size_t p = 0; p < PRODUCTS; p++) {
        multiply_plainly(A_B, expected, a, b + p * N * N, N, N, N, false);
        CHECK(memcmp(got + p * N * N, expected, N * N * sizeof(float)) == 0,
              "product %zu is wrong", p);
    }
    free(a);
    free(b);
    free(got);
    free(expected);
}

/* An infinity or NaN in row `row` of A reaches that row of C and no other; likewise for
 * a column of B. */
static void check_spread(size_t m, size_t n, size_t k, float bad) {
    for (int form = 0; form < FORMS; form++) {
        float *a = normal_floats(m * k, 1, 4), *b = normal_floats(k * n, 1, 5),
              *c = nan_floats(m * n);
        size_t row = m / 2, column = n - 1, l = k - 1;
        a[form == AT_B ? l * m + row : row * k + l] = bad;
        b[form == A_BT ? column * k + l : l * n + column] = bad;
        multiply((Form)form, c, a, b, m, n, k, false);
        for (size_t i = 0; i < m; i++) {
            for (size_t j = 0; j < n; j++) {
                bool touched = i == row || j == column;
                bool right =
                    touched ? isnan(bad) ? isnan(c[i * n + j]) : !isfinite(c[i * n + j])
                            : isfinite(c[i * n + j]);
                CHECK(right,
                      "%s of %zu x %zu x %zu: C[%zu, %zu] is %g; row %zu of A and "
                      "column %zu of B hold a %g",
                      form_names[form], m, n, k, i, j, (double)c[i * n + j], row,
                      column, (double)bad);
            }
        }
        free(a);
        free(b);
        free(c);
    }
}

Test(matmul, infinities_and_nan_spread_to_their_row_and_column_alone, .timeout = 60) {
    static const size_t sizes[][3] = {{1, 5, 3},      {3, 17, 19}, {9, 50, 33},
                                      {20, 100, 300}, {8, 64, 64}, {64, 64, 32}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        check_spread(sizes[s][0], sizes[s][1], sizes[s][2], NAN);
        check_spread(sizes[s][0], sizes[s][1], sizes[s][2], INFINITY);
    }
}

/* 0 times infinity is NaN: a zero in A does not excuse looking at B. */
Test(matmul, zeros_are_multiplied_too, .timeout = 10) {
    float b[20] = {INFINITY}, c[20];
    for (int form = 0; form < FORMS; form++) {
        multiply((Form)form, c, (float[1]){0}, b, 1, 20, 1, false);
        CHECK(isnan(c[0]) && c[1] == 0, "%s: 0 times infinity is %g, 0 times 0 is %g",
              form_names[form], (double)c[0], (double)c[1]);
    }
}

/* Products with a square matrix, whole or lower, against the plain loops with zeros
 * above the diagonal. */
static void check_square(size_t n, size_t m, bool lower) {
    size_t all = n * m, square = n * n;
    float *s = normal_floats(square, 1, 1), *b = normal_floats(all, 1, 2),
          *a = normal_floats(all, 1, 3);
    float *got = nan_floats(all), *expected = nan_floats(all),
          *start = normal_floats(all, 1, 4);
    for (size_t i = 0; i < square; i++) s[i] = lower && i % n > i / n ? 0.0f : s[i];
    for (int add = 0; add < 2; add++) {
        memcpy(got, start, all * sizeof *got);
        memcpy(expected, start, all * sizeof *got);
        matmul_square(got, s, b, n, m, lower, add);
        multiply_plainly(A_B, expected, s, b, n, m, n, add);
        CHECK(memcmp(got, expected, all * sizeof *got) == 0,
              "matmul_square of %zu x %zu, lower %d, accumulate %d", n, m, lower, add);
    }
    memcpy(got, start, all * sizeof *got);
    memcpy(expected, start, all * sizeof *got);
    matmul_square_at_b(got, s, b, n, m, lower);
    multiply_plainly(AT_B, expected, s, b, n, m, n, true);
    CHECK(memcmp(got, expected, all * sizeof *got) == 0,
          "matmul_square_at_b of %zu x %zu, lower %d", n, m, lower);

    float *got_square = nan_floats(square), *expected_square = nan_floats(square);
    matmul_square_a_bt(got_square, a, b, n, m, lower);
    multiply_plainly(A_BT, expected_square, a, b, n, n, m, false);
    for (size_t i = 0; i < square; i++) {
        CHECK(
            (lower && i % n > i / n) || got_square[i] == expected_square[i],
            "matmul_square_a_bt of %zu x %zu, lower %d: S[%zu, %zu] is %a, expected %a",
            n, m, lower, i / n, i % n, (double)got_square[i],
            (double)expected_square[i]);
    }
    free(s);
    free(b);
    free(a);
    free(got);
    free(expected);
    free(start);
    free(got_square);
    free(expected_square);
}

/* Around the rows that are taken at a time; with threads that share a product, and
 * without. */
Test(matmul, bits_of_square_products, .timeout = 60) {
    static const size_t sizes[] = {1, 2, 17, 47, 48, 49, 96, 97, 200},
                        widths[] = {1, 19, 64};
    for (int threads = 1; threads <= 3; threads += 2) {
        threads_use((size_t)threads);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
                check_square(sizes[s], widths[w], false);
                check_square(sizes[s], widths[w], true);
            }
        }
        check_square(530, 64, true);
    }
}

/* Columns 64 or more above the diagonal are not computed, which saves the time. */
Test(matmul, lower_products_leave_the_rest_out, .timeout = 10) {
    enum { N = 200, M = 8 };
    float *s = nan_floats(N * N), *b = normal_floats(N * M, 1, 2),
          *c = nan_floats(N * M);
    for (size_t i = 0; i < N * N; i++) {
        if (i % N < i / N + 64) s[i] = i % N > i / N ? 0.0f : 1.0f;
    }
    matmul_square(c, s, b, N, M, true, false);
    for (size_t i = 0; i < N * M; i++)
        CHECK(isfinite(c[i]), "C[%zu, %zu] has seen the rest", i / M, i % M);
    memset(c, 0, N * M * sizeof *c);
    matmul_square_at_b(c, s, b, N, M, true);
    for (size_t i = 0; i < N * M; i++)
        CHECK(isfinite(c[i]), "C[%zu, %zu] has seen the rest", i / M, i % M);
}

Test(matmul, empty_products, .timeout = 10) {
    float c[6] = {1, 2, 3, 4, 5, 6}, none[1] = {0};
    for (int form = 0; form < WITH_BIAS; form++) {
        multiply((Form)form, c, none, none, 2, 3, 0, true);
        CHECK(c[0] == 1 && c[5] == 6, "%s adds something for k = 0", form_names[form]);
        multiply((Form)form, c, none, none, 0, 3, 5, false);
        multiply((Form)form, c, none, none, 2, 0, 5, false);
        CHECK(c[0] == 1 && c[5] == 6, "%s writes to a C without rows or columns",
              form_names[form]);
    }
    matmul_bias(c, none, none, NULL, 0, 3, 5);
    matmul_bias(c, none, none, NULL, 2, 0, 5);
    matmul_square(c, none, none, 0, 3, true, false);
    matmul_square_at_b(c, none, none, 0, 3, true);
    matmul_square_a_bt(c, none, none, 0, 3, true);
    CHECK(c[0] == 1 && c[5] == 6, "a square of 0 rows writes to C");
    for (int form = 0; form < FORMS; form++) {
        for (size_t i = 0; i < 6; i++) c[i] = 7;
        multiply((Form)form, c, none, none, 2, 3, 0, false);
        for (size_t i = 0; i < 6; i++)
            CHECK(c[i] == 0, "%s leaves %g in C for k = 0", form_names[form],
                  (double)c[i]);
    }
    matmul_bias(c, none, none, (float[]){8, 9, 10}, 2, 3, 0);
    CHECK(c[0] == 8 && c[2] == 10 && c[3] == 8 && c[5] == 10,
          "k = 0: C is the bias in every row");
}
