/* An attack on 14/q8_0: ggml's rule as the header has it, on blocks of every size, with
 * the largest weight at every place and of either sign; halves; zeros; and every whole
 * number decoded. */
#include "14-compression/q8_0.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "math/half.h"

static void check_block(const float x[BLOCK]) {
    float largest = 0;
    for (int i = 0; i < BLOCK; i++) largest = fmaxf(largest, fabsf(x[i]));
    float d = largest / 127;
    BlockQ8_0 block;
    memset(&block, 0x55, sizeof block);
    q8_0_encode(&block, x);
    CHECK(block.scale == float_to_half(d), "the scale is %g, expected %g",
          (double)half_to_float(block.scale), (double)d);
    for (int i = 0; i < BLOCK; i++) {
        int right = d > 0 ? (int)roundf(x[i] * (1 / d)) : 0;
        CHECK(block.q[i] == right, "q of %.9g is %d, expected %d", (double)x[i],
              block.q[i], right);
    }
}

Test(attack, blocks) {
    for (unsigned seed = 0; seed < 64; seed++) {
        float *x = normal_floats(BLOCK, pow(10, (double)(seed % 5) - 3), seed);
        check_block(x);
        x[seed % BLOCK] *= seed < BLOCK ? 50 : -50;
        check_block(x);
    }
    for (int first = 0; first < 4 * (BLOCK - 1); first += BLOCK - 1) { /* near halves */
        float x[BLOCK] = {3};
        for (int i = 1; i < BLOCK; i++)
            x[i] = ((float)(first + i) + 0.5f) * (3.0f / 127);
        check_block(x);
    }
    check_block((const float[BLOCK]){0});
    check_block((const float[BLOCK]){127, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f});
}

Test(attack, every_number_decoded) {
    for (int first = -128; first < 128; first += BLOCK) {
        BlockQ8_0 block = {.scale = float_to_half(0.375f)};
        float x[BLOCK];
        for (int i = 0; i < BLOCK; i++) block.q[i] = (int8_t)(first + i);
        q8_0_decode(x, &block);
        for (int i = 0; i < BLOCK; i++)
            CHECK(x[i] == 0.375f * (float)(first + i), "%d is decoded as %g", first + i,
                  (double)x[i]);
    }
}
