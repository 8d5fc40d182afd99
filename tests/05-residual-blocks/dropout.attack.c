/* An attack on 05/dropout: the mask by the header's formula, from a generator that has
 * been used, for billions of numbers, too; by several threads, the way back first, a p
 * that is one of the numbers drawn, and zeros that have numbers as well. */
#include "05-residual-blocks/dropout.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"

static double uniform(const Random *random, size_t i) {
    return (random_at(random, random->next + i) >> 8) * 0x1p-24;
}

static void check_mask(size_t n, float p, uint64_t next) {
    Random random = random_create(1);
    random.next = next;
    float *x = normal_floats(n, 1, 1), *out = nan_floats(n), *dx = ones_and_a_half(n);
    for (size_t i = 0; i < n; i += 5) x[i] = 0;
    double *right = as_double(x, n), *right_dx = as_double(x, n);
    for (size_t i = 0; i < n; i++) {
        right[i] = uniform(&random, i) < (double)p ? 0 : (double)x[i] / (1 - (double)p);
        right_dx[i] = 1.5 + right[i];
    }
    dropout_backward(dx, x, n, p, &random);
    CHECK_CLOSE("dx", dx, right_dx, n, 1e-6);
    dropout_forward(out, x, n, p, &random);
    CHECK_CLOSE("out", out, right, n, 1e-6);
    dropout_forward(x, x, n, p, &random);
    CHECK(memcmp(x, out, n * sizeof *x) == 0, "out = x gives something else");
    CHECK(random.next == next, "the generator has moved");
}

Test(attack, masks) {
#ifdef _OPENMP
    omp_set_num_threads(4);
#endif
    check_mask(100, 0.3f, 1001);
    check_mask(100, 0.3f, (uint64_t)11 << 30);
    check_mask(100, 0, 1001);
    check_mask(40001, 0.75f, 1001);
}

Test(attack, border) {
    Random random = random_create(1);
    random.next = 1001;
    check_mask(20, (float)uniform(&random, 7), 1001);
}
