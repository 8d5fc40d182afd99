/* An attack on 14/q4_0: blocks of random bytes, whose weights are taken out one by one,
 * and one chain of fmaf a row, which leaves no bit open; out holds something before. */
#include "14-compression/q4_0.h"

#include <math.h>

#include "check/check.h"
#include "math/half.h"
#include "math/random.h"

enum { MOST_ROWS = 5, MOST_BLOCKS = 4 };

static float weight(const BlockQ4_0 *row, size_t c) {
    const BlockQ4_0 *b = row + c / BLOCK;
    size_t i = c % BLOCK;
    return half_to_float(b->scale) *
           (float)((i < 16 ? b->q[i] & 15 : b->q[i - 16] >> 4) - 8);
}

static void check_product(size_t rows, size_t across) {
    BlockQ4_0 blocks[MOST_ROWS * MOST_BLOCKS];
    float *x = normal_floats(across * BLOCK, 1, 1), *out = nan_floats(rows);
    Random random = random_stream(2, 0);
    for (size_t b = 0; b < rows * across; b++) {
        blocks[b].scale = float_to_half(0.1f + (float)b / 7);
        for (int i = 0; i < BLOCK / 2; i++)
            blocks[b].q[i] = (uint8_t)random_below(&random, 256);
    }
    q4_0_matvec(out, x, blocks, rows, across * BLOCK);
    for (size_t r = 0; r < rows; r++) {
        float sum = 0;
        for (size_t c = 0; c < across * BLOCK; c++)
            sum = fmaf(x[c], weight(blocks + r * across, c), sum);
        CHECK(out[r] == sum, "row %zu of %zu blocks is %.9g, expected %.9g", r, across,
              (double)out[r], (double)sum);
    }
}

Test(attack, products) {
    check_product(1, 1);
    check_product(3, 2);
    check_product(MOST_ROWS, MOST_BLOCKS);
}
