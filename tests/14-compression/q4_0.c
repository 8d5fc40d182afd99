/* Tests of exercise 14/q4_0: the product has the bits of the decoded floats'. */
#include "14-compression/q4_0.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "math/half.h"
#include "kernels/matmul.h"
#include "weights/weight.h"

/* Known mistakes, with the floats that each would read. */
enum {
    RIGHT,
    SWAPPED,
    NEIGHBOURS,
    NO_OFFSET,
    LOWER_OFFSET, /* 8 is subtracted from the lower halves alone */
    UPPER_OFFSET,
    OFFSET_7,
    NO_SCALE,
    RAW_SCALE,
    SIGNED,
    FIRST_BLOCK,
    WAYS
};

static double *floats_as(int way, const BlockQ4_0 *blocks, size_t n) {
    double *out = malloc(n * sizeof *out);
    for (size_t w = 0; w < n; w++) {
        const BlockQ4_0 *b = &blocks[way == FIRST_BLOCK ? 0 : w / BLOCK];
        size_t i = w % BLOCK, byte = way == NEIGHBOURS ? i / 2 : i % 16;
        bool upper = way == NEIGHBOURS ? i % 2 == 1 : i >= 16;
        if (way == SWAPPED) upper = !upper;
        int q = upper ? b->q[byte] >> 4 : b->q[byte] & 15;
        double scale = way == NO_SCALE    ? 1
                       : way == RAW_SCALE ? (double)b->scale
                                          : (double)half_to_float(b->scale);
        int offset = way == OFFSET_7 ? 7 : 8;
        if (way == NO_OFFSET || way == (upper ? LOWER_OFFSET : UPPER_OFFSET))
            offset = 0;
        out[w] = scale * (way == SIGNED ? (q ^ 8) - 8 : q - offset);
    }
    return out;
}

/* With `used` of the numbers of x, again and again. */
static double *product(const double *w, const float *x, size_t rows, size_t cols,
                       size_t used) {
    double *out = calloc(rows, sizeof *out);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[r] += w[r * cols + c] * (double)x[c % used];
    return out;
}

static void check_matvec(size_t rows, size_t cols) {
    float *floats = normal_floats(rows * cols, 1, 1), *x = normal_floats(cols, 1, 2),
          *got = nan_floats(rows);
    BlockQ4_0 *blocks = guarded_alloc(rows * cols / BLOCK, sizeof *blocks);
    for (size_t b = 0; b < rows * cols / BLOCK; b++)
        q4_0_encode(&blocks[b], floats + b * BLOCK);
    double *out[WAYS];
    for (int way = 0; way < WAYS; way++) {
        double *w = floats_as(way, blocks, rows * cols);
        out[way] = product(w, x, rows, cols, cols);
        free(w);
    }
    double *floats_right = floats_as(RIGHT, blocks, rows * cols),
           *x_again = product(floats_right, x, rows, cols, BLOCK);
    crash_means("something behind the last block, row or column is used: a row has "
                "cols / BLOCK blocks");
    q4_0_matvec(got, x, blocks, rows, cols);
    AXES({"row", "rows", rows}, {"column", "cols", cols});
    KNOW_AS("W", floats_right, "row column");
    KNOW(x, "column");
    know_shape("out", "row");
    CHECK_CLOSE(
        with_size("out", rows, cols), got, out[RIGHT], rows, 1e-5,
        {"the halves of the bytes are swapped", out[SWAPPED]},
        {"neighbouring weights are taken from one byte", out[NEIGHBOURS]},
        {"8 is not subtracted", out[NO_OFFSET]},
        {"8 is subtracted from the lower halves of the bytes alone", out[LOWER_OFFSET]},
        {"8 is subtracted from the upper halves of the bytes alone", out[UPPER_OFFSET]},
        {"7 is subtracted, not 8", out[OFFSET_7]},
        {"every block is read as the first one", out[FIRST_BLOCK]},
        {"every block is multiplied with the first 32 numbers of x", x_again},
        {"the scale is left out", out[NO_SCALE]},
        {"the 16 bits of the scale are taken for a whole number", out[RAW_SCALE]},
        {"q is read as a number with a sign: it counts from 0 to 15, and 8 is 0",
         out[SIGNED]});
    float *expected = nan_floats(rows);
    Weight w = {.type = &weight_q4_0, .data = blocks, .rows = rows, .cols = cols};
    weight_to_floats(floats, &w);
    matmul_a_bt(expected, x, floats, 1, rows, cols, false);
    CHECK(memcmp(got, expected, rows * sizeof *got) == 0,
          "W x of %zu x %zu: other bits than those of the decoded floats: is every sum "
          "one chain of fmaf, in "
          "order?",
          rows, cols);
    for (int way = 0; way < WAYS; way++) free(out[way]);
    free(floats);
    free(x);
    free(got);
    free(blocks);
    free(expected);
    free(floats_right);
    free(x_again);
}

Test(q4_0, one_block, .timeout = 10) {
    check_matvec(1, BLOCK);
}

Test(q4_0, many_blocks, .timeout = 10) {
    check_matvec(3, 2 * BLOCK);
    check_matvec(40, 7 * BLOCK);
}

Test(q4_0, thousands, .timeout = 10) {
    check_matvec(5003, BLOCK);
    check_matvec(2, 157 * BLOCK);
}
