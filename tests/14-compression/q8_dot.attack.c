/* An attack on 14/q8_dot: blocks of random bytes, every bit of the sum; the largest
 * numbers; no block at all. */
#include "14-compression/q8_dot.h"

#include <math.h>

#include "check/check.h"
#include "math/half.h"
#include "math/random.h"

enum { MOST_BLOCKS = 7 };

static int nibble(const BlockQ4_0 *b, int i) {
    return (i < 16 ? b->q[i] & 15 : b->q[i - 16] >> 4) - 8;
}

static void check_sums(size_t n_blocks, unsigned seed) {
    BlockQ8_0 x[MOST_BLOCKS], q8[MOST_BLOCKS];
    BlockQ4_0 q4[MOST_BLOCKS];
    Random random = random_stream(seed, 0);
    float sum8 = 0, sum4 = 0;
    /* blocks behind the last hold numbers, too */
    for (size_t b = 0; b < MOST_BLOCKS; b++) {
        float scale = 0.03f + (float)random_double(&random);
        x[b].scale = float_to_half(scale);
        q8[b].scale = q4[b].scale = float_to_half(1 / (scale + 0.1f));
        int whole8 = 0, whole4 = 0;
        for (int i = 0; i < BLOCK / 2; i++)
            q4[b].q[i] = (uint8_t)random_below(&random, 256);
        for (int i = 0; i < BLOCK; i++) {
            x[b].q[i] = (int8_t)((int)random_below(&random, 256) - 128);
            q8[b].q[i] = (int8_t)((int)random_below(&random, 256) - 128);
            whole8 += q8[b].q[i] * x[b].q[i];
            whole4 += nibble(&q4[b], i) * x[b].q[i];
        }
        if (b >= n_blocks) continue;
        float s = half_to_float(x[b].scale) * half_to_float(q8[b].scale);
        sum8 = fmaf((float)whole8, s, sum8);
        sum4 = fmaf((float)whole4, s, sum4);
    }
    float got8 = q8_dot_q8_0(q8, x, n_blocks), got4 = q8_dot_q4_0(q4, x, n_blocks);
    CHECK(got8 == sum8, "Q8_0, %zu blocks: %.9g, expected %.9g", n_blocks, (double)got8,
          (double)sum8);
    CHECK(got4 == sum4, "Q4_0, %zu blocks: %.9g, expected %.9g", n_blocks, (double)got4,
          (double)sum4);
}

Test(attack, sums) {
    for (size_t n = 0; n <= MOST_BLOCKS; n++) {
        for (unsigned seed = 0; seed < 8; seed++) check_sums(n, seed);
    }
}

Test(attack, largest) {
    BlockQ8_0 x = {.scale = float_to_half(1)};
    for (int i = 0; i < BLOCK; i++) x.q[i] = -128;
    float sum = q8_dot_q8_0(&x, &x, 1);
    CHECK(sum == 524288, "-128 times itself, 32 times, is %g", (double)sum);
}
