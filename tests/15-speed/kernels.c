/* Tests of the kernels in steps: the norm's and attention's have the bytes of the
 * kernels that they begin with, at odd sizes, and softmax's are right. */
#include "15-speed/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "check/check.h"
#include "base/memory.h"
#include "kernels/threads.h"

static void same_bytes(const char *what, size_t rows, size_t columns, const float *got,
                       const float *expected, size_t n) {
    for (size_t i = 0; i < n; i++)
        CHECK(memcmp(got + i, expected + i, sizeof *got) == 0,
              "%s, %zu x %zu: number %zu is %a, expected %a", what, rows, columns, i,
              (double)got[i], (double)expected[i]);
}

/* --- LayerNorm backward --- */

enum { NORMS = 3 };
static NormBackward *const norms[NORMS] = {norm_back_three_loops, norm_back_two_sums,
                                           norm_back_one_sweep};
static const char *const gradients[] = {"dx", "dgain", "dbias"};

static void check_norm(size_t rows, size_t dim) {
    float *x = normal_floats(rows * dim, 3, 1), *dout = normal_floats(rows * dim, 1, 2);
    float *gain = normal_floats(dim, 1, 3), *mean = normal_floats(rows, 1, 4),
          *rstd = normal_floats(rows, 1, 5);
    size_t sizes[] = {rows * dim, dim, dim};
    float *d[NORMS][3];
    for (size_t s = 0; s < NORMS; s++) {
        for (size_t i = 0; i < 3; i++) d[s][i] = ones_and_a_half(sizes[i]);
        norms[s](d[s][0], d[s][1], d[s][2], dout, x, mean, rstd, gain, rows, dim);
        for (size_t i = 0; i < 3; i++)
            same_bytes(gradients[i], rows, dim, d[s][i], d[0][i], sizes[i]);
    }
}

Test(kernels, norm_steps_have_the_same_bytes, .timeout = 60) {
    static const size_t sizes[] = {1, 2, 3, 15, 16, 17, 255, 256, 257, 768};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (size_t s = 0; s < SIZES * SIZES; s++)
        check_norm(sizes[s % SIZES], sizes[s / SIZES]);
}

/* The three agree with each other; this is where they agree with chapter 01. */
Test(kernels, norm_is_that_of_chapter_01, .timeout = 10) {
    enum { ROWS = 70, DIM = 300, SIZE = ROWS * DIM };
    float *x = normal_floats(SIZE, 3, 1), *dout = normal_floats(SIZE, 1, 2);
    float *gain = normal_floats(DIM, 1, 3), *mean = normal_floats(ROWS, 1, 4),
          *rstd = normal_floats(ROWS, 1, 5);
    static float d[2][SIZE + 2 * DIM];
    float *of_chapter = d[0], *step = d[1];
    layernorm_backward(of_chapter, of_chapter + SIZE, of_chapter + SIZE + DIM, dout, x,
                       mean, rstd, gain, ROWS, DIM);
    norm_back_three_loops(step, step + SIZE, step + SIZE + DIM, dout, x, mean, rstd,
                          gain, ROWS, DIM);
    for (size_t i = 0; i < SIZE + 2 * DIM; i++) {
        double off = fabs((double)(step[i] - of_chapter[i]));
        CHECK(off < 1e-4, "number %zu is %g, chapter 01's %g", i, (double)step[i],
              (double)of_chapter[i]);
    }
}

/* Sums of columns are taken in parts of 64 rows, of 128 from 1025 rows on. */
Test(kernels, norm_has_these_bytes_for_all_parts_of_rows, .timeout = 60) {
    static const size_t rows[] = {63, 64, 65, 128, 1023, 1024, 1025, 1153, 2049};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check_norm(rows[i], 5);
}

Test(kernels, norm_of_no_rows_adds_nothing, .timeout = 10) {
    float d[3] = {1, 2, 3}, gain[1] = {1};
    for (size_t s = 1; s < NORMS; s++)
        norms[s](d, d + 1, d + 2, NULL, NULL, NULL, NULL, gain, 0, 1);
    CHECK(d[0] == 1 && d[1] == 2 && d[2] == 3, "something was written");
}

/* --- softmax --- */

enum { SOFTMAXES = 3 };
static Softmax *const softmaxes[SOFTMAXES] = {softmax_three_passes, softmax_online,
                                              softmax_by_parts};
static const char *const softmax_names[SOFTMAXES] = {"three passes", "online",
                                                     "by parts"};

/* The formula, in double. */
static void check_softmax(const float *x, size_t rows, size_t n) {
    double *right = malloc(rows * n * sizeof *right);
    for (size_t r = 0; r < rows; r++) {
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; i < n; i++) max = fmax(max, (double)x[r * n + i]);
        for (size_t i = 0; i < n; i++)
            sum += right[r * n + i] = exp((double)x[r * n + i] - max);
        for (size_t i = 0; i < n; i++) right[r * n + i] /= sum;
    }
    for (size_t s = 0; s < SOFTMAXES; s++) {
        float *out = nan_floats(rows * n);
        softmaxes[s](out, x, rows, n);
        CHECK_CLOSE(softmax_names[s], out, right, rows * n, 1e-6);
    }
    free(right);
}

Test(kernels, softmax_is_right, .timeout = 60) {
    static const size_t sizes[] = {1, 2, 3, 16, 17, 255, 256, 257, 513, 5001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t rows = 1; rows <= 3; rows += 2)
            check_softmax(normal_floats(rows * sizes[i], 5, (unsigned)i), rows,
                          sizes[i]);
    }
}

/* The largest number grows from part to part, and what was summed must shrink with it;
 * e^x would overflow. */
Test(kernels, softmax_of_a_growing_and_of_a_falling_row, .timeout = 10) {
    enum { N = 1000 };
    float rows[2 * N];
    for (size_t i = 0; i < N; i++)
        rows[i] = 200 + 0.01f * (float)i, rows[2 * N - 1 - i] = rows[i];
    check_softmax(rows, 2, N);
}

Test(kernels, softmax_of_extreme_numbers, .timeout = 10) {
    float first[] = {-INFINITY, 0, -INFINITY, 1},
          last[] = {-FLT_MAX, -1e30f, 1e30f, FLT_MAX};
    check_softmax(first, 1, 4), check_softmax(last, 1, 4);
    check_softmax(equal_floats(300, -FLT_MAX), 1, 300);
}

/* --- attention --- */

static void check_attention(size_t heads, size_t length, size_t dim, bool causal) {
    AttentionShape shape = {
        .n_heads = heads, .length = length, .head_dim = dim, .causal = causal};
    size_t n = heads * length * dim, table = heads * length * length;
    float *q = normal_floats(n, 1, 1), *k = normal_floats(n, 1, 2),
          *v = normal_floats(n, 1, 3);
    float *out = nan_floats(n), *band = nan_floats(BAND * length);
    float *expected = nan_floats(n), *weights = nan_floats(table),
          *room = nan_floats(table);
    attention_forward(expected, weights, room, q, k, v, &shape);
    attention_by_bands(out, band, q, k, v, &shape);
    same_bytes(causal ? "causal attention" : "attention without a mask", length, dim,
               out, expected, n);
    float *by_tiles = nan_floats(n), *tile = nan_floats(BAND * TILE_KEYS);
    double *right = checked_alloc(n, sizeof *right);
    for (size_t i = 0; i < n; i++) right[i] = (double)expected[i];
    attention_by_tiles(by_tiles, tile, q, k, v, &shape);
    CHECK_CLOSE("attention by tiles", by_tiles, right, n, 1e-5);
}

Test(kernels, attention_by_bands_has_the_bytes_of_chapter_07, .timeout = 60) {
    static const size_t lengths[] = {1, 2, 7, 63, 64, 65, 127, 128, 129, 200, 321, 600};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check_attention(1, lengths[i], 64, true),
            check_attention(1, lengths[i], 64, false);
        check_attention(3, lengths[i], 1, true),
            check_attention(2, lengths[i], 19, true);
    }
}

Test(kernels, attention_does_not_depend_on_threads, .timeout = 60) {
    for (size_t threads = 1; threads <= 3; threads++) {
        threads_use(threads);
        check_attention(2, 300, 64, true);
    }
}
