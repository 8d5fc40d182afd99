/* The attack on 15/matmul: every last bit, of products that no block divides and whose
 * sums are long; both operands transposed or not. How often something is packed it does
 * not ask. */
#include "15-speed/matmul.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

static void check_views(View a, View b, size_t m, size_t n, size_t k) {
    float *c = normal_floats(m * n, 30, 9), *expected = normal_floats(m * n, 30, 9);
    for (size_t i = 0; i < m * n; i++) {
        for (size_t l = 0; l < k; l++)
            expected[i] = fmaf(*view_at(a, i / n, l).data, *view_at(b, l, i % n).data,
                               expected[i]);
    }
    blocked_matmul(c, a, b, m, n, k);
    CHECK(memcmp(c, expected, m * n * sizeof *c) == 0,
          "C of %zu x %zu x %zu has other bytes", m, n, k);
}

static void check_size(size_t m, size_t n, size_t k) {
    float *a = normal_floats(m * k, 1, 1), *b = normal_floats(k * n, 1, 2);
    check_views((View){a, k, 1}, (View){b, n, 1}, m, n, k);
    check_views((View){a, 1, m}, (View){b, 1, k}, m, n, k);
}

Test(attack, odd_sizes) {
    check_size(7, 37, 11);
    check_size(1, 1, 1);
}

Test(attack, long_sums) {
    check_size(5, 39, 1003);
    check_size(141, 17, 301);
}

Test(attack, many_columns) {
    check_size(3, 1003, 9);
    check_size(1, 5003, 300);
}
