/* Tests of exercise 14/q8_dot: whole numbers are exact, so the bits are known. */
#include "14-compression/q8_dot.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "math/half.h"
#include "math/random.h"

/* Known mistakes, with the sums that each would give. */
enum {
    RIGHT,
    UNSIGNED_W,
    UNSIGNED_X,
    NO_SCALES,
    W_SCALE_ALONE,
    X_SCALE_ALONE,
    RAW_SCALES,
    FIRST_X,  /* every block of w meets the first of x */
    FIRST_W,  /* and the other way round */
    WHOLE_ON, /* the whole number goes on from block to block */
    SHORT,    /* the whole number has 16 bits */
    NO_OFFSET,
    OFFSET_7,
    SIGNED,
    SWAPPED,
    NEIGHBOURS,
    LOWER_ALONE,
    WAYS
};

/* Either kind of row; the other is NULL. */
typedef struct {
    const BlockQ8_0 *q8;
    const BlockQ4_0 *q4;
} Row;

/* Number i of block b of the row, as that mistake reads it. */
static int weight(int way, Row w, size_t b, int i) {
    if (way == FIRST_W) b = 0;
    if (w.q8) return way == UNSIGNED_W ? (uint8_t)w.q8[b].q[i] : w.q8[b].q[i];
    int byte = way == NEIGHBOURS ? i / 2 : i % 16;
    bool upper = way == NEIGHBOURS ? i % 2 == 1 : i >= 16;
    if (way == SWAPPED) upper = !upper;
    int q = upper ? w.q4[b].q[byte] >> 4 : w.q4[b].q[byte] & 15;
    if (way == LOWER_ALONE && upper) return 0;
    if (way == NO_OFFSET) return q;
    if (way == OFFSET_7) return q - 7;
    if (way == SIGNED) return (q ^ 8) - 8;
    return q - 8;
}

static double scale(int way, Row w, const BlockQ8_0 *x, size_t b) {
    uint16_t ws = w.q8 ? w.q8[b].scale : w.q4[b].scale;
    double scale_w = (double)half_to_float(ws),
           scale_x = (double)half_to_float(x[b].scale);
    if (way == NO_SCALES) return 1;
    if (way == W_SCALE_ALONE) return scale_w;
    if (way == X_SCALE_ALONE) return scale_x;
    if (way == RAW_SCALES) return (double)ws * x[b].scale;
    return scale_w * scale_x;
}

/* One sum in double, and with `bits` the float that the contract says. */
static double sum(int way, Row w, const BlockQ8_0 *x, size_t n_blocks, float *bits) {
    double sum = 0;
    float rounded = 0;
    int whole = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        if (way != WHOLE_ON) whole = 0;
        for (int i = 0; i < BLOCK; i++) {
            int q = x[way == FIRST_X ? 0 : b].q[i];
            whole += weight(way, w, b, i) * (way == UNSIGNED_X ? (uint8_t)q : q);
        }
        if (way == SHORT) whole = (int16_t)whole;
        double s = scale(way, w, x, b);
        sum += whole * s;
        rounded = fmaf((float)whole, (float)s, rounded);
    }
    if (bits) *bits = rounded;
    return sum;
}

enum { MOST_ROWS = 16 };

static uint16_t some_scale(Random *random) {
    return float_to_half(0.01f + (float)random_double(random));
}

/* `rows` rows of n_blocks random blocks, times one vector. */
static void check_dot(bool four_bits, size_t rows, size_t n_blocks, unsigned seed) {
    Random random = random_stream(seed, 0);
    BlockQ8_0 *x = guarded_alloc(n_blocks, sizeof *x),
              *q8 = guarded_alloc(rows * n_blocks, sizeof *q8);
    BlockQ4_0 *q4 = guarded_alloc(rows * n_blocks, sizeof *q4);
    for (size_t b = 0; b < n_blocks; b++) {
        x[b].scale = some_scale(&random);
        for (int i = 0; i < BLOCK; i++)
            x[b].q[i] = (int8_t)((int)random_below(&random, 255) - 127);
    }
    for (size_t b = 0; b < rows * n_blocks; b++) {
        q8[b].scale = q4[b].scale = some_scale(&random);
        for (int i = 0; i < BLOCK; i++)
            q8[b].q[i] = (int8_t)((int)random_below(&random, 255) - 127);
        for (int i = 0; i < BLOCK / 2; i++)
            q4[b].q[i] = (uint8_t)random_below(&random, 256);
    }
    float *got = nan_floats(rows), bits[MOST_ROWS];
    double ways[WAYS][MOST_ROWS];
    crash_means("a block behind the last is read: w and x have n_blocks blocks each");
    for (size_t r = 0; r < rows; r++) {
        Row row = {four_bits ? NULL : q8 + r * n_blocks, q4 + r * n_blocks};
        got[r] = four_bits ? q8_dot_q4_0(row.q4, x, n_blocks)
                           : q8_dot_q8_0(row.q8, x, n_blocks);
        for (int way = 0; way < WAYS; way++)
            ways[way][r] = sum(way, row, x, n_blocks, way == RIGHT ? &bits[r] : NULL);
    }
    AXES({"row", "rows", rows});
    know_shape("w . x", "row");
    CHECK_CLOSE(
        with_size("w . x", rows, n_blocks * BLOCK), got, ways[RIGHT], rows, 1e-5,
        {"the numbers of w are read without their sign", ways[UNSIGNED_W]},
        {"the numbers of x are read without their sign", ways[UNSIGNED_X]},
        {"both scales are left out", ways[NO_SCALES]},
        {"the scale of x is left out", ways[W_SCALE_ALONE]},
        {"the scale of w is left out", ways[X_SCALE_ALONE]},
        {"the 16 bits of the scales are taken for whole numbers", ways[RAW_SCALES]},
        {"every block of w is multiplied with the first of x", ways[FIRST_X]},
        {"every block of w is read as the first one", ways[FIRST_W]},
        {"the whole number goes on from block to block, and is multiplied with each "
         "block's scales again",
         ways[WHOLE_ON]},
        {"the whole number is kept in 16 bits", ways[SHORT]},
        {"8 is not subtracted", ways[NO_OFFSET]},
        {"7 is subtracted, not 8", ways[OFFSET_7]},
        {"q is read as a number with a sign: it counts from 0 to 15, and 8 is 0",
         ways[SIGNED]},
        {"the halves of the bytes are swapped", ways[SWAPPED]},
        {"neighbouring weights are taken from one byte", ways[NEIGHBOURS]},
        {"the upper halves of the bytes are left out", ways[LOWER_ALONE]});
    for (size_t r = 0; r < rows; r++)
        CHECK(memcmp(&got[r], &bits[r], sizeof bits[r]) == 0,
              "row %zu of %zu blocks is %.9g, expected %.9g: near, but other bits: is "
              "each block added once, by fmaf, from the first to the last?",
              r, n_blocks, (double)got[r], (double)bits[r]);
    free(got);
    free(x);
    free(q8);
    free(q4);
}

Test(q8_dot, one_block_of_q8_0, .timeout = 10) {
    check_dot(false, 8, 1, 1);
}

Test(q8_dot, one_block_of_q4_0, .timeout = 10) {
    check_dot(true, 8, 1, 2);
}

Test(q8_dot, many_blocks_of_q8_0, .timeout = 10) {
    check_dot(false, 5, 2, 3);
    check_dot(false, MOST_ROWS, 9, 4);
}

Test(q8_dot, many_blocks_of_q4_0, .timeout = 10) {
    check_dot(true, 5, 2, 5);
    check_dot(true, MOST_ROWS, 9, 6);
}

Test(q8_dot, thousands_of_blocks, .timeout = 10) {
    check_dot(false, 3, 5003, 7);
    check_dot(true, 3, 5003, 8);
}

/* 32 times 127 * 127 is 516128: more than 16 bits hold, fewer than a float counts
 * exactly. */
Test(q8_dot, the_largest_numbers, .timeout = 10) {
    BlockQ8_0 x = {.scale = float_to_half(0.5f)}, q8 = {.scale = float_to_half(2)};
    BlockQ4_0 q4 = {.scale = float_to_half(2)};
    for (int i = 0; i < BLOCK; i++) x.q[i] = q8.q[i] = 127;
    memset(q4.q, 0xff, sizeof q4.q);
    CHECK_NUMBER("127 times 127, 32 times", q8_dot_q8_0(&q8, &x, 1), 516128, 0,
                 {"the whole number is kept in 16 bits", &(double){(int16_t)516128}});
    CHECK_NUMBER("7 times 127, 32 times", q8_dot_q4_0(&q4, &x, 1), 28448, 0);
    for (int i = 0; i < BLOCK; i++) q8.q[i] = -128;
    memset(q4.q, 0, sizeof q4.q);
    CHECK_NUMBER("-128 times 127, 32 times", q8_dot_q8_0(&q8, &x, 1), -520192, 0);
    CHECK_NUMBER("-8 times 127, 32 times", q8_dot_q4_0(&q4, &x, 1), -32512, 0);
}

Test(q8_dot, no_block_is_zero, .timeout = 10) {
    BlockQ8_0 x = {.scale = float_to_half(1), .q = {1}};
    BlockQ4_0 q4 = {.scale = float_to_half(1)};
    float q8_sum = q8_dot_q8_0(&x, &x, 0), q4_sum = q8_dot_q4_0(&q4, &x, 0);
    CHECK(q8_sum == 0, "w . x of no block of Q8_0 is %g", (double)q8_sum);
    CHECK(q4_sum == 0, "w . x of no block of Q4_0 is %g", (double)q4_sum);
}
