/* Tests of exercise 00/matmul_backward: PyTorch's numbers, and square matrices, where a
 * forgotten transpose has the right shape. */
#include "00-tensors/matmul_backward.h"

#include <stdlib.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

/* sum over k of a[i, k] b[k, j], either matrix read transposed. */
static double *product(const float *a, bool a_transposed, const float *b,
                       bool b_transposed, size_t m, size_t n, size_t k) {
    double *c = checked_alloc(m * n, sizeof *c);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t l = 0; l < k; l++) {
                float left = a_transposed ? a[l * m + i] : a[i * k + l];
                float right = b_transposed ? b[j * k + l] : b[l * n + j];
                c[i * n + j] += (double)left * (double)right;
            }
        }
    }
    return c;
}

/* See known.h. */
static void know_pass(const float *dout, const float *x, const float *weight,
                      size_t rows, size_t n_in, size_t n_out) {
    AXES({"row", "rows", rows}, {"in", "n_in", n_in}, {"out", "n_out", n_out});
    KNOW(dout, "row out");
    KNOW(x, "row in");
    KNOW(weight, "in out");
    know_shape("dx", "row in");
    know_shape("dweight", "in out");
    know_shape("dbias", "out");
}

static double *column_sums(const float *x, size_t rows, size_t cols, double factor) {
    double *sums = checked_alloc(cols, sizeof *sums);
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < cols; j++) sums[j] += factor * (double)x[r * cols + j];
    }
    return sums;
}

enum { N = 5 };

static void others_are_null(void) {
    crash_means("dx, dweight or dbias is written to though it is NULL");
}

/* rows = n_in = n_out: every matrix fits everywhere, so that only the numbers show
 * which is which. */
Test(matmul_backward, dx_of_square_matrices, .timeout = 10) {
    float *dout = normal_floats(N * N, 1, 1), *x = normal_floats(N * N, 1, 2),
          *weight = normal_floats(N * N, 1, 3);
    float *dx = ones_and_a_half(N * N);
    others_are_null();
    matmul_backward(dx, NULL, NULL, dout, x, weight, N, N, N);
    know_pass(dout, x, weight, N, N, N);
    CHECK_ADDED("dx (the others are NULL)", dx,
                product(dout, false, weight, true, N, N, N), N * N, 1e-5,
                {"the weight is not transposed in dx",
                 product(dout, false, weight, false, N, N, N)},
                {"dx is the product with x instead of the weight",
                 product(dout, false, x, true, N, N, N)},
                {"dx is x times the weight: dout is what flows back",
                 product(x, false, weight, true, N, N, N)});
}

Test(matmul_backward, dweight_of_square_matrices, .timeout = 10) {
    float *dout = normal_floats(N * N, 1, 1), *x = normal_floats(N * N, 1, 2),
          *weight = normal_floats(N * N, 1, 3);
    float *dweight = ones_and_a_half(N * N);
    others_are_null();
    matmul_backward(NULL, dweight, NULL, dout, x, weight, N, N, N);
    know_pass(dout, x, weight, N, N, N);
    CHECK_ADDED(
        "dweight (the others are NULL)", dweight,
        product(x, true, dout, false, N, N, N), N * N, 1e-5,
        {"x is not transposed in dweight", product(x, false, dout, false, N, N, N)},
        {"dweight is transposed, as if the weight were stored [out, in]",
         product(dout, true, x, false, N, N, N)},
        {"dweight is made from the weight instead of x",
         product(weight, true, dout, false, N, N, N)});
}

Test(matmul_backward, dbias_sums_the_rows, .timeout = 10) {
    enum { ROWS = 7, IN = 2, OUT = 3 };
    float *dout = normal_floats(ROWS * OUT, 1, 4), *x = normal_floats(ROWS * IN, 1, 5);
    float *weight = normal_floats(IN * OUT, 1, 6), *dbias = ones_and_a_half(OUT);
    double *last = as_double(dout + (ROWS - 1) * OUT, OUT), only_last[OUT];
    /* and what was there before is gone */
    for (size_t j = 0; j < OUT; j++) only_last[j] = last[j] - 1.5;
    others_are_null();
    matmul_backward(NULL, NULL, dbias, dout, x, weight, ROWS, IN, OUT);
    know_pass(dout, x, weight, ROWS, IN, OUT);
    CHECK_ADDED("dbias (the others are NULL)", dbias, column_sums(dout, ROWS, OUT, 1),
                OUT, 1e-5,
                {"dbias is the mean over the rows instead of the sum",
                 column_sums(dout, ROWS, OUT, 1.0 / ROWS)},
                {"dbias is overwritten (=) at every row", only_last},
                {"dbias holds the first row only", as_double(dout, OUT)});
}

Test(matmul_backward, equals_pytorch, .timeout = 10) {
    const char *family = "linear", *name = "conv1d3d";
    size_t shape[SAFETENSORS_MAX_NDIM], n_x, n_w, n_b;
    float *x = golden_float(family, name, "x", &n_x),
          *weight = golden_float(family, name, "weight", &n_w);
    golden_shape(family, name, "weight", shape);
    size_t n_in = shape[0], n_out = shape[1], rows = n_x / n_in;
    const double *expected_dbias = golden(family, name, "dbias", &n_b);
    float *dx = ones_and_a_half(n_x), *dweight = ones_and_a_half(n_w),
          *dbias = ones_and_a_half(n_b);
    float *dout = golden_float(family, name, "dy", NULL);
    matmul_backward(dx, dweight, dbias, dout, x, weight, rows, n_in, n_out);
    know_pass(dout, x, weight, rows, n_in, n_out);
    CHECK_ADDED("dx", dx, golden(family, name, "dx", NULL), n_x, 1e-5);
    CHECK_ADDED("dweight", dweight, golden(family, name, "dweight", NULL), n_w, 1e-5);
    CHECK_ADDED("dbias", dbias, expected_dbias, n_b, 1e-5);
}

static void check_size(size_t rows, size_t n_in, size_t n_out) {
    float *dout = normal_floats(rows * n_out, 1, 7),
          *x = normal_floats(rows * n_in, 1, 8);
    float *weight = normal_floats(n_in * n_out, 1, 9);
    float *dx = ones_and_a_half(rows * n_in), *dweight = ones_and_a_half(n_in * n_out),
          *dbias = ones_and_a_half(n_out);
    matmul_backward(dx, dweight, dbias, dout, x, weight, rows, n_in, n_out);
    know_pass(dout, x, weight, rows, n_in, n_out);
    CHECK_ADDED("dx", dx, product(dout, false, weight, true, rows, n_in, n_out),
                rows * n_in, 1e-5);
    double *mean = product(x, true, dout, false, n_in, n_out, rows);
    for (size_t i = 0; i < n_in * n_out; i++) mean[i] /= (double)rows;
    CHECK_ADDED("dweight", dweight, product(x, true, dout, false, n_in, n_out, rows),
                n_in * n_out, 1e-5,
                {"dweight is the mean over the rows instead of the sum", mean});
    CHECK_ADDED("dbias", dbias, column_sums(dout, rows, n_out, 1), n_out, 1e-5);
}

/* As large as a layer of a small GPT: rows, n_in and n_out all differ. */
Test(matmul_backward, many_rows, .timeout = 10) {
    check_size(150, 40, 70);
}

/* Each of the three past any size that an array in the function could have. */
Test(matmul_backward, thousands, .timeout = 10) {
    check_size(5003, 3, 2);
    check_size(2, 5003, 3);
    check_size(3, 2, 5003);
}

/* Many outputs, and no multiple of what vectors or blocks of them take at a time. */
Test(matmul_backward, many_outputs, .timeout = 10) {
    enum { ROWS = 30, OUT = 600 };
    float *dout = normal_floats(ROWS * OUT, 1, 10), *x = normal_floats(ROWS, 1, 11);
    float *weight = normal_floats(OUT, 1, 12), *dbias = ones_and_a_half(OUT);
    others_are_null();
    matmul_backward(NULL, NULL, dbias, dout, x, weight, ROWS, 1, OUT);
    know_pass(dout, x, weight, ROWS, 1, OUT);
    CHECK_ADDED("dbias of 600 outputs", dbias, column_sums(dout, ROWS, OUT, 1), OUT,
                1e-5);
}

/* The first layer's input has no gradient, frozen weights have none, GPT-2's head has
 * no bias. */
/* Behind a ReLU half of x is 0, and so is half of dout: dx does not ask for x, nor
 * dweight for the weight. */
Test(matmul_backward, zeros_take_part, .timeout = 10) {
    float *dout = normal_floats(N * N, 1, 7), *x = normal_floats(N * N, 1, 8),
          *weight = normal_floats(N * N, 1, 9);
    float *dx = ones_and_a_half(N * N), *dweight = ones_and_a_half(N * N),
          *dbias = ones_and_a_half(N);
    for (size_t i = 0; i < N * N; i += 2) x[i] = 0;
    for (size_t i = 0; i < N * N; i += 3)
        dout[i] = weight[i + 1 < N * N ? i + 1 : 0] = 0;
    double *right = product(dout, false, weight, true, N, N, N),
           *masked = product(dout, false, weight, true, N, N, N);
    for (size_t i = 0; i < N * N; i += 2) masked[i] = 0;
    matmul_backward(dx, dweight, dbias, dout, x, weight, N, N, N);
    know_pass(dout, x, weight, N, N, N);
    CHECK_ADDED("dx, where x and dout hold zeros,", dx, right, N * N, 1e-5,
                {"dx gets nothing where x is 0", masked});
    CHECK_ADDED("dweight, where x and dout hold zeros,", dweight,
                product(x, true, dout, false, N, N, N), N * N, 1e-5);
    CHECK_ADDED("dbias, where dout holds zeros,", dbias, column_sums(dout, N, N, 1), N,
                1e-5);
}

Test(matmul_backward, null_gradients_are_skipped, .timeout = 10) {
    float dout[6] = {1, 2, 3, 4, 5, 6}, x[4] = {1, 0, 0, 1}, weight[6] = {0},
          dweight[6] = {0};
    others_are_null();
    matmul_backward(NULL, NULL, NULL, dout, x, weight, 2, 2, 3);
    matmul_backward(NULL, dweight, NULL, dout, x, weight, 2, 2, 3);
    CHECK_CLOSE("dweight for x = identity", dweight, as_double(dout, 6), 6, 1e-6);
}
