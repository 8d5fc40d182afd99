/* Blocks of quantized weights, byte for byte as ggml has them: whole numbers of a few
 * bits, a float16 scale.
 *
 * A row is a sequence of blocks of 32 or 256 neighbours. A number is scale * q, with an
 * offset in some kinds; each formula stands at its struct. The formats:
 * ggml-org/llama.cpp, ggml/src/ggml-common.h. Reading them is here, in weight_blocks.c;
 * quantizing weights is chapter 14. */
#ifndef WEIGHTS_WEIGHT_BLOCKS_H
#define WEIGHTS_WEIGHT_BLOCKS_H

#include <stdint.h>

enum { BLOCK = 32, SUPER_BLOCK = 256 };

/* Files put blocks at any byte, so nothing is padded or aligned. */
#define PACKED __attribute__((packed))

/* 8.5 bits a weight: scale * q[i]. */
typedef struct PACKED {
    uint16_t scale; /* float16, as all that is called scale or min */
    int8_t q[BLOCK];
} BlockQ8_0;

/* 4.5 bits: scale * (q - 8). Byte i holds weight i in its lower half and weight i + 16
 * in its upper one. */
typedef struct PACKED {
    uint16_t scale;
    uint8_t q[BLOCK / 2];
} BlockQ4_0;

/* 5 bits: scale * q + min, the halves likewise. */
typedef struct PACKED {
    uint16_t scale, min;
    uint8_t q[BLOCK / 2];
} BlockQ4_1;

/* 5.5 bits: scale * (q - 16). The lower four bits of q are as Q4_0's, bit i of `high`
 * is the fifth of weight i. */
typedef struct PACKED {
    uint16_t scale;
    uint8_t high[BLOCK / 8], q[BLOCK / 2];
} BlockQ5_0;

/* 6 bits: scale * q + min. */
typedef struct PACKED {
    uint16_t scale, min;
    uint8_t high[BLOCK / 8], q[BLOCK / 2];
} BlockQ5_1;

/* 4.5 bits: 8 parts of 32 weights, part p is scale * s_p * q - min * m_p. Each 32 bytes
 * of q hold two parts, the first in the lower halves. Of s_p and m_p, 6 bits each, see
 * q4_k_factors. */
typedef struct PACKED {
    uint16_t scale, min;
    uint8_t factors[12];
    uint8_t q[SUPER_BLOCK / 2];
} BlockQ4_K;

/* 6.5625 bits: 16 parts of 16 weights, scale * factors[p] * (q - 32). Four lower bits
 * of q are in `low`, two upper ones in `high`: of each 128 weights, 32 bytes of high
 * hold four times 32, from the lowest bits up, and 64 bytes of low the first 64 in the
 * lower halves and the others in the upper ones. */
typedef struct PACKED {
    uint8_t low[SUPER_BLOCK / 2], high[SUPER_BLOCK / 4];
    int8_t factors[SUPER_BLOCK / 16];
    uint16_t scale;
} BlockQ6_K;

_Static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockQ4_0) == 18 &&
                   sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22 &&
                   sizeof(BlockQ5_1) == 24 && sizeof(BlockQ4_K) == 144 &&
                   sizeof(BlockQ6_K) == 210,
               "ggml's sizes");

/* s_p and m_p of part p. Bytes 0 to 3 have the s of parts 0 to 3 in their lower six
 * bits, bytes 4 to 7 their m; bytes 8 to 11 the lower four bits of s and m of parts 4
 * to 7, whose upper two are the free bits of bytes 0 to 7. */
static inline void q4_k_factors(const uint8_t factors[12], int p, int *s, int *m) {
    if (p < 4) {
        *s = factors[p] & 63;
        *m = factors[p + 4] & 63;
    } else {
        *s = (factors[p + 4] & 15) | (factors[p - 4] >> 6) << 4;
        *m = (factors[p + 4] >> 4) | (factors[p] >> 6) << 4;
    }
}

/* The next 32 inputs of a product in whole numbers (panel_integers.h): ggml's rule, as
 * exercise 14/q8_0 has it. With d = (largest |x|) / 127, q = x * (1 / d) rounded to the
 * nearest, halves away from zero. All q are 0 where 1 / d is no number, and the scale
 * is NaN where one of x is. */
void block_of_inputs(BlockQ8_0 *block, const float x[BLOCK]);

#endif
