/* Tests of exercise 14/q8_0: against ggml's blocks, to the byte. */
#include "14-compression/q8_0.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "math/half.h"

/* Where the scale comes from: the largest |x|, which it is 127th of; or what it is a
 * 128th of. */
static const char *scale_in_words(const float x[BLOCK], uint16_t scale) {
    static char words[100];
    int at = 0;
    for (int i = 0; i < BLOCK; i++) at = fabsf(x[i]) > fabsf(x[at]) ? i : at;
    if (scale == float_to_half(fabsf(x[at]) / 128)) return ": is it divided by 128?";
    if (scale == 0 && x[at] != 0)
        return ": is a fraction cut to a whole number on its way (abs is for ints; the "
               "scale is stored by "
               "float_to_half)?";
    snprintf(words, sizeof words, ": |x[%d]| = %g is the largest, x[%d] = %g", at,
             (double)fabsf(x[at]), at, (double)x[at]);
    return words;
}

/* Blocks begin as bytes that no encoder makes of them. */
enum { UNWRITTEN = 0x55 };

static const char *unwritten_in_words(const BlockQ8_0 *block) {
    for (int i = 0; i < BLOCK; i++) {
        if (block->q[i] != UNWRITTEN) return "";
    }
    return ": no q of this block is written";
}

/* The first block in which these differ is named by its row. */
Test(q8_0, ggmls_bytes, .timeout = 10) {
    size_t n;
    const float *x = golden_float("gguf/blocks", NULL, "x", &n);
    const BlockQ8_0 *expected =
        safetensors_find(golden_file("gguf/blocks"), "blocks.q8_0")->data;
    for (size_t b = 0; b < n / BLOCK; b++) {
        BlockQ8_0 got;
        memset(&got, UNWRITTEN, sizeof got);
        q8_0_encode(&got, x + b * BLOCK);
        double scale = (double)half_to_float(got.scale),
               ggmls = (double)half_to_float(expected[b].scale);
        CHECK(got.scale == expected[b].scale,
              "row %zu, block %zu: the scale is %g, ggml's is %g%s", b / 16, b % 16,
              scale, ggmls, scale_in_words(x + b * BLOCK, got.scale));
        bool stored = true; /* what the scale gives that is in the file */
        for (int i = 0; i < BLOCK; i++)
            stored = stored && got.q[i] == (int)roundf(x[b * BLOCK + (size_t)i] *
                                                       (1 / (float)ggmls));
        for (int i = 0; i < BLOCK; i++)
            CHECK(got.q[i] == expected[b].q[i],
                  "row %zu, block %zu: q[%d] is %d, ggml's is %d, for x %.9g%s", b / 16,
                  b % 16, i, got.q[i], expected[b].q[i],
                  (double)x[b * BLOCK + (size_t)i],
                  stored ? ": x is divided by the scale as it is stored, already "
                           "rounded to a float16"
                         : unwritten_in_words(&got));
    }
}

/* x / d is 0.5, 1.5, 2.5 ... for d = 1: halves go away from zero, -1.5 too. */
Test(q8_0, halves_go_away_from_zero, .timeout = 10) {
    float x[BLOCK] = {127,   0.5f,  1.5f,   2.5f,    -0.5f,
                      -1.5f, -2.5f, 126.5f, -126.5f, -3.7f};
    const int expected[] = {127, 1, 2, 3, -1, -2, -3, 127, -127, -4}, n = 10;
    BlockQ8_0 block;
    memset(&block, UNWRITTEN, sizeof block);
    q8_0_encode(&block, x);
    /* what known mistakes give, all of it */
    bool even = true, cut = true, up = true, plus = true;
    for (int i = 0; i < n; i++) {
        even = even && block.q[i] == (int)rintf(x[i]);
        cut = cut && block.q[i] == (int)x[i];
        up = up && block.q[i] == (int)floorf(x[i] + 0.5f);
        plus = plus && block.q[i] == (int)(x[i] + 0.5f);
    }
    const char *mistake = "";
    if (plus) mistake = ": (int)(x + 0.5) cuts negative numbers off towards 0";
    if (up) mistake = ": negative halves went up";
    if (cut) mistake = ": it is cut off, not rounded";
    if (even) mistake = ": halves went to the even one";
    for (int i = 0; i < n; i++)
        CHECK(block.q[i] == expected[i],
              "x = %g of a block whose largest is 127 became %d, expected %d%s",
              (double)x[i], block.q[i], expected[i], mistake);
}

/* x / d is rounded once, x * (1 / d) twice: near a half they may fall on two sides of
 * it. */
Test(q8_0, multiplied_by_the_inverse, .timeout = 10) {
    enum { HALVES = 127 };
    const float d = 3.0f / 127;
    float x[HALVES];
    int got[HALVES], right[HALVES];
    bool always_divided = true, differ = false;
    for (int k = 0; k < HALVES; k++) {
        x[k] = ((float)k + 0.5f) * d;
        right[k] = (int)roundf(x[k] * (1 / d));
        BlockQ8_0 block;
        memset(&block, UNWRITTEN, sizeof block);
        q8_0_encode(&block, (float[BLOCK]){3, x[k]});
        got[k] = block.q[1];
        int divided = (int)roundf(x[k] / d);
        always_divided = always_divided && got[k] == divided;
        differ = differ || right[k] != divided;
    }
    CHECK(differ, "no number of this test tells x / d from x * (1 / d)");
    for (int k = 0; k < HALVES; k++)
        CHECK(got[k] == right[k],
              "x = %.9g of a block whose largest is 3 became %d, expected %d%s",
              (double)x[k], got[k], right[k],
              always_divided ? ": ggml multiplies by 1 / d, it does not divide by d"
                             : "");
}

/* -254 is the largest: the scale is 2. */
Test(q8_0, the_largest_may_be_negative, .timeout = 10) {
    float x[BLOCK] = {100, -254, 3};
    BlockQ8_0 block;
    memset(&block, UNWRITTEN, sizeof block);
    q8_0_encode(&block, x);
    double scale = (double)half_to_float(block.scale);
    CHECK(fabs(scale - 2) < 1e-3,
          "the scale of 100, -254, 3 and zeros is %g, expected 2: 254 / 127%s", scale,
          fabs(scale - 100.0 / 127) < 1e-3
              ? "; this is what you get when the largest x is taken, not |x|"
              : "");
}

Test(q8_0, zeros_stay_zeros, .timeout = 10) {
    float x[BLOCK] = {0}, back[BLOCK];
    BlockQ8_0 block;
    memset(&block, UNWRITTEN, sizeof block);
    q8_0_encode(&block, x);
    CHECK(block.scale == 0, "the scale of a block of zeros is 0x%04x", block.scale);
    for (int i = 0; i < BLOCK; i++)
        CHECK(block.q[i] == 0, "q[%d] of a block of zeros is %d%s", i, block.q[i],
              unwritten_in_words(&block));
    q8_0_decode(back, &block);
    for (int i = 0; i < BLOCK; i++)
        CHECK(back[i] == 0, "zero comes back as %g", (double)back[i]);
}

Test(q8_0, decoding, .timeout = 10) {
    size_t n;
    const float *expected = golden_float("gguf/blocks", NULL, "floats.q8_0", &n);
    const BlockQ8_0 *blocks =
        safetensors_find(golden_file("gguf/blocks"), "blocks.q8_0")->data;
    for (size_t b = 0; b < n / BLOCK; b++) {
        float *got = nan_floats(BLOCK);
        double unsigned_q[BLOCK], raw[BLOCK], divided[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            unsigned_q[i] = (double)half_to_float(blocks[b].scale) *
                            (double)(uint8_t)blocks[b].q[i];
            raw[i] = (double)blocks[b].scale * blocks[b].q[i];
            divided[i] = blocks[b].q[i] / (double)half_to_float(blocks[b].scale);
        }
        q8_0_decode(got, &blocks[b]);
        double q[BLOCK];
        for (int i = 0; i < BLOCK; i++) q[i] = (double)blocks[b].q[i];
        AXES({"element", "BLOCK", BLOCK});
        KNOW(q, "element");
        know_number("the scale", (double)half_to_float(blocks[b].scale));
        CHECK_CLOSE("the decoded block", got, as_double(expected + b * BLOCK, BLOCK),
                    BLOCK, 1e-7, {"q is read without its sign", unsigned_q},
                    {"the 16 bits of the scale are taken for a whole number", raw},
                    {"q is divided by the scale", divided});
        free(got);
    }
}
