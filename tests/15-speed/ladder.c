/* Tests of the ladder: every step gives the bytes of common/kernels/matmul.c, at odd
 * sizes and at the edges of tiles, panels and blocks. */
#include "15-speed/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"

enum { MARGIN = 64 };

/* The steps from `first` on, added to numbers that C holds, at addresses of no
 * particular alignment. What lies around C must not change. */
static void check_size(size_t m, size_t n, size_t k, size_t first) {
    float *a = normal_floats(m * k + 1, 1, 1), *b = normal_floats(k * n + 3, 1, 2);
    float *start = normal_floats(m * n + 2 * MARGIN, 1, 3),
          *panels = nan_floats(product_prepared_size(n, k));
    size_t bytes = (m * n + 2 * MARGIN) * sizeof(float);
    float *got = malloc(bytes), *expected = malloc(bytes);
    product_prepare(panels, b + 3, n, k);
    memcpy(expected, start, bytes);
    matmul(expected + MARGIN - 1, a + 1, b + 3, m, n, k, true);
    for (size_t s = first; s < STEPS; s++) {
        memcpy(got, start, bytes);
        ladder[s].run(got + MARGIN - 1, a + 1, ladder[s].prepared ? panels : b + 3, m,
                      n, k);
        for (size_t i = 0; i < m * n + 2 * MARGIN; i++) {
            CHECK(
                memcmp(got + i, expected + i, sizeof *got) == 0,
                "%s of %zu x %zu x %zu (m x n x k): number %td of C is %a, expected %a",
                ladder[s].name, m, n, k, (ptrdiff_t)i - (MARGIN - 1), (double)got[i],
                (double)expected[i]);
        }
    }
    free(a), free(b), free(start), free(panels);
    free(got), free(expected);
}

Test(ladder, bytes_of_small_products, .timeout = 60) {
    static const size_t sizes[] = {1, 2, 3, 5, 6, 7, 8, 9, 16, 17, 47, 48, 49};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (size_t s = 0; s < SIZES * SIZES * SIZES; s += 3)
        check_size(sizes[s % SIZES], sizes[s / SIZES % SIZES], sizes[s / SIZES / SIZES],
                   0);
}

/* Past the rows, columns and terms of a block: 96, 1024 or a little less, 256. */
Test(ladder, bytes_past_the_blocks, .timeout = 60) {
    static const size_t sizes[][3] = {{9, 191, 383}, {17, 193, 385}, {5, 400, 769},
                                      {100, 97, 1},  {1, 577, 400},  {7, 1100, 270},
                                      {200, 20, 300}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        check_size(sizes[s][0], sizes[s][1], sizes[s][2], 0);
}

/* A million multiply-adds or more are shared out. */
Test(ladder, bytes_do_not_depend_on_threads, .timeout = 60) {
    for (int threads = 1; threads <= 5; threads++) {
        threads_use((size_t)threads);
        check_size(33, 500, 70, THREADS);
        check_size(300, 50, 80, THREADS);
        check_size(3, 3000, 130, THREADS);
    }
}

Test(ladder, empty_products, .timeout = 10) {
    float c[6] = {1, 2, 3, 4, 5, 6}, none[15] = {0};
    for (size_t s = 0; s < STEPS; s++) {
        ladder[s].run(c, none, none, 2, 3, 0);
        ladder[s].run(c, none, none, 0, 3, 5);
        ladder[s].run(c, none, none, 2, 0, 5);
        CHECK(c[0] == 1 && c[5] == 6, "%s writes to C though nothing is added",
              ladder[s].name);
    }
}

Test(ladder, steps_are_found_by_name, .timeout = 10) {
    for (size_t s = 0; s < STEPS; s++)
        CHECK(ladder_step(ladder[s].name) == &ladder[s], "%s is another step",
              ladder[s].name);
}
