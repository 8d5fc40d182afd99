/* Tests of the choice of GPT-2's product: every one gives the bytes of
 * common/kernels/matmul.c, in all forms. */
#include "15-speed/product.h"

#include <stdlib.h>
#include <string.h>

#include "15-speed/ladder.h"
#include "check/check.h"
#include "kernels/matmul.h"

typedef void Form(float *, const float *, const float *, size_t, size_t, size_t, bool);

static void check_form(const char *name, Form *chosen, Form *common, size_t m, size_t n,
                       size_t k) {
    float *a = normal_floats(m * k + n, 1, 1), *b = normal_floats(k * n, 1, 2);
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        float *got = accumulate ? normal_floats(m * n, 1, 3) : nan_floats(m * n),
              *expected = normal_floats(m * n, 1, 3);
        chosen(got, a, b, m, n, k, accumulate);
        common(expected, a, b, m, n, k, accumulate);
        CHECK(memcmp(got, expected, m * n * sizeof *got) == 0,
              "%s, %zu x %zu x %zu, accumulate %d: other bytes", name, m, n, k,
              accumulate);
        free(got), free(expected);
    }
    free(a), free(b);
}

/* The form of a linear layer: with a bias in the place of C, and without. */
static void chosen_linear(float *c, const float *a, const float *b, size_t m, size_t n,
                          size_t k, bool bias) {
    __wrap_matmul_bias(c, a, b, bias ? a : NULL, m, n, k);
}
static void common_linear(float *c, const float *a, const float *b, size_t m, size_t n,
                          size_t k, bool bias) {
    matmul_bias(c, a, b, bias ? a : NULL, m, n, k);
}

static void check_product(const char *name) {
    static const size_t sizes[][3] = {
        {1, 1, 1}, {7, 50, 13}, {1, 100, 33}, {33, 5, 400}};
    product_choose(name);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t m = sizes[s][0], n = sizes[s][1], k = sizes[s][2];
        check_form(name, __wrap_matmul, matmul, m, n, k);
        check_form(name, chosen_linear, common_linear, m, n, k);
        check_form(name, __wrap_matmul_at_b, matmul_at_b, m, n, k);
        check_form(name, __wrap_matmul_a_bt, matmul_a_bt, m, n, k);
    }
}

Test(product, bytes_of_all_forms, .timeout = 30) {
    check_product("common");
    check_product("matmul");
    for (size_t s = 0; s < STEPS; s++) check_product(ladder[s].name);
}
