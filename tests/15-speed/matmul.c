/* Tests of exercise 15/matmul: the numbers first, then the last bit, then how much is
 * packed. */
#include "15-speed/matmul.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "15-speed/pack.h"
#include "check/check.h"
#include "base/memory.h"

/* The linker leads the exercise's calls of pack here (COUNTED_). */
static size_t packed_numbers;
void __wrap_pack(float *packed, View from, size_t depth, size_t columns, size_t width);
void __wrap_pack(float *packed, View from, size_t depth, size_t columns, size_t width) {
    packed_numbers += depth * columns;
    pack(packed, from, depth, columns, width);
}

static float element(View v, size_t i, size_t j) {
    return *view_at(v, i, j).data;
}

/* In double. */
static double *product(View a, View b, size_t m, size_t n, size_t k) {
    double *c = checked_alloc(m * n, sizeof *c);
    for (size_t i = 0; i < m * n; i++) {
        for (size_t l = 0; l < k; l++)
            c[i] += (double)element(a, i / n, l) * (double)element(b, l, i % n);
    }
    return c;
}

/* C as it is if its rows are taken to lie m numbers apart, not n. */
static double *rows_m_apart(const double *product, size_t m, size_t n) {
    double *c = checked_alloc(m * n, sizeof *c);
    for (size_t i = 0; i < m * n; i++) {
        size_t at = i / n * m + i % n;
        if (at < m * n) c[at] += product[i];
    }
    return c;
}

/* The same matrix, row by row. */
static double *dense(View v, size_t rows, size_t columns) {
    double *x = checked_alloc(rows * columns, sizeof *x);
    for (size_t i = 0; i < rows * columns; i++)
        x[i] = (double)element(v, i / columns, i % columns);
    return x;
}

/* Compares with the known mistakes of views: that of A, or of B, read as if it were not
 * transposed. */
static void check_product(const char *what, View a, View b, size_t m, size_t n,
                          size_t k) {
    float *c = ones_and_a_half(m * n);
    crash_means("something outside of A, B or C is read or written");
    blocked_matmul(c, a, b, m, n, k);
    AXES({"row", "m", m}, {"column", "n", n}, {"l", "k", k});
    know_shape(what, "row column");
    KNOW_AS("A", dense(a, m, k), "row l");
    KNOW_AS("B", dense(b, k, n), "l column");
    double *right = product(a, b, m, n, k);
    CHECK_ADDED(
        what, c, right, m * n, 1e-5,
        {"the rows of C are taken to lie m numbers apart", rows_m_apart(right, m, n)},
        {"A is read as if its rows lay one after the other",
         product((View){a.data, k, 1}, b, m, n, k)},
        {"B is read as if its rows lay one after the other",
         product(a, (View){b.data, n, 1}, m, n, k)});
    free(c);
}

static void check_size(size_t m, size_t n, size_t k) {
    float *a = normal_floats(m * k, 1, 1), *b = normal_floats(k * n, 1, 2);
    check_product("C", (View){a, k, 1}, (View){b, n, 1}, m, n, k);
    free(a), free(b);
}

Test(matmul, one_number, .timeout = 10) {
    float a = 3, b = 5, c = 1;
    blocked_matmul(&c, (View){&a, 1, 1}, (View){&b, 1, 1}, 1, 1, 1);
    CHECK_NUMBER("C = 1 + 3 * 5", c, 16, 1e-6, {"C is overwritten", (double[]){15}});
}

Test(matmul, small_matrices, .timeout = 10) {
    check_size(2, 3, 4);
    check_size(4, 32, 8);
    check_size(8, 64, 16);
}

/* Sizes that no tile divides. */
Test(matmul, odd_sizes, .timeout = 10) {
    check_size(7, 33, 5);
    check_size(61, 47, 53);
    check_size(1, 100, 9);
    check_size(100, 1, 9);
    check_size(9, 100, 1);
}

/* More than any block holds: the parts of a sum over k, of rows and of columns. First
 * of all three, and not few of any: where the wrong numbers stand says most. */
Test(matmul, many_blocks, .timeout = 10) {
    check_size(150, 300, 600);
    check_size(3, 5, 5003);
    check_size(3, 5003, 5);
    check_size(5003, 3, 5);
    check_size(2, 5003, 300);
}

Test(matmul, a_transposed, .timeout = 10) {
    enum { M = 9, N = 40, K = 13 };
    float *a = normal_floats(K * M, 1, 3), *b = normal_floats(K * N, 1, 4);
    check_product("C = A^T B", (View){a, 1, M}, (View){b, N, 1}, M, N, K);
    free(a), free(b);
}

Test(matmul, b_transposed, .timeout = 10) {
    enum { M = 9, N = 40, K = 13 };
    float *a = normal_floats(M * K, 1, 5), *b = normal_floats(N * K, 1, 6);
    check_product("C = A B^T", (View){a, K, 1}, (View){b, 1, K}, M, N, K);
    free(a), free(b);
}

Test(matmul, empty_products, .timeout = 10) {
    float c[6] = {1, 2, 3, 4, 5, 6}, none[15] = {0};
    View a = {none, 5, 1}, b = {none, 3, 1};
    blocked_matmul(c, a, b, 2, 3, 0);
    blocked_matmul(c, a, b, 0, 3, 5);
    blocked_matmul(c, a, b, 2, 0, 5);
    for (size_t i = 0; i < 6; i++)
        CHECK(c[i] == (float)(i + 1), "an empty product writes %g to C[%zu]",
              (double)c[i], i);
}

/* --- the last bit --- */

enum { M = 5, N = 37, K = 700 };

typedef float Sum(float start, const float *a, const float *b, size_t stretch);

/* a [K] and b [K]: a row of A and a column of B. */
static float right_sum(float sum, const float *a, const float *b, size_t stretch) {
    (void)stretch;
    for (size_t l = 0; l < K; l++) sum = fmaf(a[l], b[l], sum);
    return sum;
}
static float rounded_twice(float sum, const float *a, const float *b, size_t stretch) {
    (void)stretch;
    for (size_t l = 0; l < K; l++) {
        volatile float product = a[l] * b[l];
        sum += product;
    }
    return sum;
}
static float in_double(float start, const float *a, const float *b, size_t stretch) {
    (void)stretch;
    double sum = (double)start;
    for (size_t l = 0; l < K; l++) sum += (double)a[l] * (double)b[l];
    return (float)sum;
}
static float last_first(float sum, const float *a, const float *b, size_t stretch) {
    (void)stretch;
    for (size_t l = K; l-- > 0;) sum = fmaf(a[l], b[l], sum);
    return sum;
}
static float start_last(float start, const float *a, const float *b, size_t stretch) {
    return start + right_sum(0, a, b, stretch);
}
/* Each stretch of k is summed by itself and then added. */
static float by_stretches(float sum, const float *a, const float *b, size_t stretch) {
    for (size_t first = 0; first < K; first += stretch) {
        float part = 0;
        for (size_t l = first; l < K && l < first + stretch; l++)
            part = fmaf(a[l], b[l], part);
        sum += part;
    }
    return sum;
}

static bool same_bytes(const float *c, const float *start, const float *a,
                       const float *b_columns, Sum *sum, size_t stretch) {
    for (size_t i = 0; i < M * N; i++) {
        float expected = sum(start[i], a + i / N * K, b_columns + i % N * K, stretch);
        if (memcmp(&expected, &c[i], sizeof expected) != 0) return false;
    }
    return true;
}

Test(matmul, the_last_bit, .timeout = 10) {
    float *a = normal_floats(M * K, 1, 7), *b = normal_floats(N * K, 1, 8),
          *start = normal_floats(M * N, 30, 9);
    float *c = normal_floats(M * N, 30, 9);
    blocked_matmul(c, (View){a, K, 1}, (View){b, 1, K}, M, N, K);
    if (same_bytes(c, start, a, b, right_sum, 0)) return;
    double *expected = product((View){a, K, 1}, (View){b, 1, K}, M, N, K);
    for (size_t i = 0; i < M * N; i++) expected[i] += (double)start[i];
    CHECK_CLOSE("C of sums of 700 products", c, expected, M * N, 1e-5);
    CHECK(!same_bytes(c, start, a, b, rounded_twice, 0),
          "a product is rounded before it is added: use fmaf");
    CHECK(!same_bytes(c, start, a, b, in_double, 0),
          "the sums are in double, and rounded once: more digits are other bytes, use "
          "fmaf on floats");
    CHECK(!same_bytes(c, start, a, b, last_first, 0),
          "the sums run from the last k to the first");
    CHECK(!same_bytes(c, start, a, b, start_last, 0),
          "the sums start from 0, and C is added at the end");
    for (size_t stretch = 2; stretch < K; stretch++)
        CHECK(!same_bytes(c, start, a, b, by_stretches, stretch),
              "each %zu products are summed by themselves and then added to C; a sum "
              "must go on from what C "
              "holds",
              stretch);
    CHECK(false, "the numbers are right but for their last bits: something is added in "
                 "another order, or in another "
                 "way than by fmaf on floats");
}

/* --- work --- */

/* Of what is packed, a number of A or B is packed a few times at most: once for each
 * block that needs it. */
Test(matmul, each_number_is_packed_a_few_times, .timeout = 10) {
    enum { ROWS = 200, COLUMNS = 150, DEPTH = 300 };
    float *a = normal_floats(ROWS * DEPTH, 1, 10),
          *b = normal_floats(DEPTH * COLUMNS, 1, 11);
    float *c = nan_floats(ROWS * COLUMNS);
    packed_numbers = 0;
    blocked_matmul(c, (View){a, DEPTH, 1}, (View){b, COLUMNS, 1}, ROWS, COLUMNS, DEPTH);
    double times = (double)packed_numbers / (ROWS * DEPTH + DEPTH * COLUMNS);
    CHECK(times <= 8,
          "each number of A and B is packed %.0f times, expected 8 at most: pack "
          "outside of the loop over the"
          " tiles that need the same panel",
          times);
    free(a), free(b), free(c);
}
