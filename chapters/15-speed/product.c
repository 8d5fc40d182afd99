/* Every product of the program: see product.h. */
#include "15-speed/product.h"

#include <stdlib.h>
#include <string.h>

#include "15-speed/ladder.h"
#include "15-speed/matmul.h"
#include "base/memory.h"

/* common/kernels/matmul.c's own. */
void __real_matmul(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k, bool accumulate);
void __real_matmul_bias(float *c, const float *a, const float *b, const float *bias,
                        size_t m, size_t n, size_t k);
void __real_matmul_at_b(float *c, const float *a, const float *b, size_t m, size_t n,
                        size_t k, bool accumulate);
void __real_matmul_a_bt(float *c, const float *a, const float *b, size_t m, size_t n,
                        size_t k, bool accumulate);

static enum { COMMON, STEP, EXERCISE } chosen;
static const Step *step;

void product_choose(const char *name) {
    chosen = strcmp(name, "common") == 0   ? COMMON
             : strcmp(name, "matmul") == 0 ? EXERCISE
                                           : STEP;
    if (chosen == STEP) step = ladder_step(name);
}

/* Row by row; to be freed. */
static float *copy_in_order(View v, size_t rows, size_t columns) {
    float *copy = checked_aligned_alloc(rows * columns, sizeof *copy);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++)
            copy[i * columns + j] = *view_at(v, i, j).data;
    }
    return copy;
}

/* The ladder knows matrices that lie row by row, or panels. */
static void climb(float *c, View a, View b, size_t m, size_t n, size_t k) {
    float *a_copy = a.column == 1 ? NULL : copy_in_order(a, m, k);
    float *b_copy = b.column == 1 ? NULL : copy_in_order(b, k, n), *panels = NULL;
    const float *b_data = b_copy ? b_copy : b.data;
    if (step->prepared) {
        panels = checked_aligned_alloc(product_prepared_size(n, k), sizeof *panels);
        product_prepare(panels, b_data, n, k);
    }
    step->run(c, a_copy ? a_copy : a.data, panels ? panels : b_data, m, n, k);
    free(a_copy);
    free(b_copy);
    free(panels);
}

static void multiply(float *c, View a, View b, size_t m, size_t n, size_t k,
                     bool accumulate) {
    if (!accumulate) memset(c, 0, m * n * sizeof *c);
    if (chosen == EXERCISE) {
        blocked_matmul(c, a, b, m, n, k);
    } else {
        climb(c, a, b, m, n, k);
    }
}

void __wrap_matmul(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k, bool accumulate) {
    if (chosen == COMMON) {
        __real_matmul(c, a, b, m, n, k, accumulate);
    } else {
        multiply(c, (View){a, k, 1}, (View){b, n, 1}, m, n, k, accumulate);
    }
}

void __wrap_matmul_bias(float *c, const float *a, const float *b, const float *bias,
                        size_t m, size_t n, size_t k) {
    if (chosen == COMMON) {
        __real_matmul_bias(c, a, b, bias, m, n, k);
        return;
    }
    __real_matmul_bias(c, a, b, bias, m, n, 0); /* C before the first product */
    multiply(c, (View){a, k, 1}, (View){b, n, 1}, m, n, k, true);
}

void __wrap_matmul_at_b(float *c, const float *a, const float *b, size_t m, size_t n,
                        size_t k, bool accumulate) {
    if (chosen == COMMON) {
        __real_matmul_at_b(c, a, b, m, n, k, accumulate);
    } else {
        multiply(c, (View){a, 1, m}, (View){b, n, 1}, m, n, k, accumulate);
    }
}

void __wrap_matmul_a_bt(float *c, const float *a, const float *b, size_t m, size_t n,
                        size_t k, bool accumulate) {
    if (chosen == COMMON) {
        __real_matmul_a_bt(c, a, b, m, n, k, accumulate);
    } else {
        multiply(c, (View){a, k, 1}, (View){b, 1, k}, m, n, k, accumulate);
    }
}
