/* The check that products are fused, as matmul.h promises: see matmul_expect_fused
 * there. */
#include "kernels/matmul.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { MOST_ROWS = 9, MOST_COLUMNS = 97, DEPTH = 19 };

/* Numbers with 20 bits each: a product of two has up to 40, and rounded to the 24 of a
 * float before it is added it gives another sum. */
static void fill(float *x, size_t n, unsigned start) {
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((start + 40503u * (unsigned)i) % 524287u) * 0x1p-19f - 0.5f;
}

/* The contract of matmul.h, word for word.
 * b_row and b_column are the steps to the next row and column of B. */
static void multiply_plainly(float *c, const float *a, const float *b, size_t m,
                             size_t n, size_t b_row, size_t b_column) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            float sum = c[i * n + j];
            for (size_t l = 0; l < DEPTH; l++)
                sum = fmaf(a[i * DEPTH + l], b[l * b_row + j * b_column], sum);
            c[i * n + j] = sum;
        }
    }
}

/* m and n choose the way that matmul.c takes and the tiles that it cuts C into. */
static void expect_fused(size_t m, size_t n) {
    float a[MOST_ROWS * DEPTH], b[DEPTH * MOST_COLUMNS], got[MOST_ROWS * MOST_COLUMNS],
        expected[MOST_ROWS * MOST_COLUMNS];
    fill(a, m * DEPTH, 1);
    fill(b, DEPTH * n, 2);
    for (int transposed = 0; transposed < 2; transposed++) {
        fill(got, m * n, 3);
        fill(expected, m * n, 3);
        if (transposed) {
            matmul_a_bt(got, a, b, m, n, DEPTH, true);
        } else {
            matmul(got, a, b, m, n, DEPTH, true);
        }
        multiply_plainly(expected, a, b, m, n, transposed ? 1 : n,
                         transposed ? DEPTH : 1);
        if (memcmp(got, expected, m * n * sizeof *got) == 0) continue;
        die("this build of common/kernels/matmul.c rounds a multiply-add twice "
            "(product of %zu x %d x %zu, compiler "
            "%s), so its results "
            "would not be those of other machines: compile it with -O3 "
            "-ffp-contract=fast, with gcc also "
            "--param "
            "avoid-fma-max-bits=0",
            m, DEPTH, n, __VERSION__);
    }
}

void matmul_expect_fused(void) {
    static const size_t columns[] = {1, 16, 40, 97};
#if defined(__FMA__) ||                                                                \
    defined(__ARM_FEATURE_FMA) /* without such an instruction matmul.c calls fmaf */
    for (size_t m = 1; m <= MOST_ROWS; m++) {
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
            expect_fused(m, columns[i]);
    }
#else
    (void)columns;
    (void)expect_fused;
#endif
}
