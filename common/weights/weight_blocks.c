/* Weights in ggml's blocks, read as floats: see weight_blocks.h. Products of q * scale
 * are exact: a float16 has 11 bits, the whole numbers at most 13, a float has room
 * for 24. */
#include "weights/weight_blocks.h"

#include <math.h>
#include <string.h>

#include "math/half.h"
#include "base/memory.h"
#include "weights/weight.h"

static void decode_q8_0(float *restrict out, const void *restrict block) {
    const BlockQ8_0 *b = block;
    float scale = half_to_float(b->scale);
    for (int i = 0; i < BLOCK; i++) out[i] = scale * (float)b->q[i];
}

static void decode_q4_0(float *restrict out, const void *restrict block) {
    const BlockQ4_0 *b = block;
    float scale = half_to_float(b->scale);
    for (int i = 0; i < BLOCK / 2; i++) {
        out[i] = scale * (float)((b->q[i] & 15) - 8);
        out[i + BLOCK / 2] = scale * (float)((b->q[i] >> 4) - 8);
    }
}

static void decode_q4_1(float *restrict out, const void *restrict block) {
    const BlockQ4_1 *b = block;
    float scale = half_to_float(b->scale), min = half_to_float(b->min);
    for (int i = 0; i < BLOCK / 2; i++) {
        out[i] = scale * (float)(b->q[i] & 15) + min;
        out[i + BLOCK / 2] = scale * (float)(b->q[i] >> 4) + min;
    }
}

/* Byte i of q has the lower four bits of weights i and i + 16, bit i of `high` the
 * fifth of weight i. */
static void decode_fives(float *restrict out, const uint8_t q[BLOCK / 2],
                         const uint8_t high[BLOCK / 8], float scale, float min,
                         int middle) {
    for (int i = 0; i < BLOCK; i++) {
        int low = i < BLOCK / 2 ? q[i] & 15 : q[i - BLOCK / 2] >> 4,
            fifth = high[i / 8] >> i % 8 & 1;
        out[i] = scale * (float)((low | fifth << 4) - middle) + min;
    }
}

static void decode_q5_0(float *restrict out, const void *restrict block) {
    const BlockQ5_0 *b = block;
    decode_fives(out, b->q, b->high, half_to_float(b->scale), 0, 16);
}

static void decode_q5_1(float *restrict out, const void *restrict block) {
    const BlockQ5_1 *b = block;
    decode_fives(out, b->q, b->high, half_to_float(b->scale), half_to_float(b->min), 0);
}

static void decode_q4_k(float *restrict out, const void *restrict block) {
    const BlockQ4_K *b = block;
    for (int p = 0; p < SUPER_BLOCK / BLOCK; p++, out += BLOCK) {
        int s, m, shift = p % 2 ? 4 : 0;
        q4_k_factors(b->factors, p, &s, &m);
        float scale = half_to_float(b->scale) * (float)s,
              min = half_to_float(b->min) * (float)m;
        const uint8_t *q = b->q + p / 2 * BLOCK;
        for (int i = 0; i < BLOCK; i++)
            out[i] = scale * (float)(q[i] >> shift & 15) - min;
    }
}

static void decode_q6_k(float *restrict out, const void *restrict block) {
    enum { PART = 16 };
    const BlockQ6_K *b = block;
    float scale = half_to_float(b->scale);
    for (int part = 0; part < SUPER_BLOCK / PART; part++, out += PART) {
        int first = part * PART % 128, low_shift = first / 64 * 4,
            high_shift = first / 32 * 2;
        const uint8_t *low = b->low + part / 8 * 64 + first % 64,
                      *high = b->high + part / 8 * 32 + first % 32;
        float factor = scale * (float)b->factors[part];
        for (int i = 0; i < PART; i++) {
            int q = (low[i] >> low_shift & 15) | (high[i] >> high_shift & 3) << 4;
            out[i] = factor * (float)(q - 32);
        }
    }
}

/* Bytes of blocks of `size` bytes for so many weights each. */
static size_t blocks_bytes(const Weight *w, size_t weights, size_t size) {
    return size_mul(size_mul(w->rows, w->cols / weights), size);
}

/* The functions of a kind of block for its WeightType: its bytes, and how parts of a
 * row are read. */
#define BLOCK_TYPE(name, Block, weights)                                               \
    static size_t bytes_##name(const Weight *w) {                                      \
        return blocks_bytes(w, weights, sizeof(Block));                                \
    }                                                                                  \
    static void read_##name(float *out, const Weight *w, size_t row, size_t first,     \
                            size_t n) {                                                \
        const Block *from =                                                            \
            (const Block *)w->data + (row * w->cols + first) / weights;                \
        for (size_t i = 0; i < n / weights; i++)                                       \
            decode_##name(out + i * weights, from + i);                                \
    }
BLOCK_TYPE(q8_0, BlockQ8_0, BLOCK)
BLOCK_TYPE(q4_0, BlockQ4_0, BLOCK)
BLOCK_TYPE(q4_1, BlockQ4_1, BLOCK)
BLOCK_TYPE(q5_0, BlockQ5_0, BLOCK)
BLOCK_TYPE(q5_1, BlockQ5_1, BLOCK)
BLOCK_TYPE(q4_k, BlockQ4_K, SUPER_BLOCK)
BLOCK_TYPE(q6_k, BlockQ6_K, SUPER_BLOCK)

const WeightType weight_q8_0 = {
    .name = "Q8_0", .bytes = bytes_q8_0, .read = read_q8_0, .block = BLOCK};
const WeightType weight_q4_0 = {
    .name = "Q4_0", .bytes = bytes_q4_0, .read = read_q4_0, .block = BLOCK};
const WeightType weight_q4_1 = {
    .name = "Q4_1", .bytes = bytes_q4_1, .read = read_q4_1, .block = BLOCK};
const WeightType weight_q5_0 = {
    .name = "Q5_0", .bytes = bytes_q5_0, .read = read_q5_0, .block = BLOCK};
const WeightType weight_q5_1 = {
    .name = "Q5_1", .bytes = bytes_q5_1, .read = read_q5_1, .block = BLOCK};
const WeightType weight_q4_k = {
    .name = "Q4_K", .bytes = bytes_q4_k, .read = read_q4_k, .block = SUPER_BLOCK};
const WeightType weight_q6_k = {
    .name = "Q6_K", .bytes = bytes_q6_k, .read = read_q6_k, .block = SUPER_BLOCK};

/* --- inputs --- */

/* Bits of numbers without a sign are in the order of the numbers, and NaN above all. */
static float largest_of(const float x[BLOCK]) {
    int32_t largest = 0;
    for (int i = 0; i < BLOCK; i++) {
        int32_t magnitude = (int32_t)(float_bits(x[i]) & 0x7fffffff);
        largest = magnitude > largest ? magnitude : largest;
    }
    return bits_float((uint32_t)largest);
}

/* To cut off digits behind a sum with the float below 1/2 is to round halves away from
 * zero; with 1/2 itself, that float would become 1. */
void block_of_inputs(BlockQ8_0 *block, const float x[BLOCK]) {
    const float below_half = 0x1.fffffep-2f;
    float scale = largest_of(x) / 127, inverse = 1 / scale;
    block->scale = float_to_half(scale);
    if (!(inverse > 0 && inverse < INFINITY)) {
        memset(block->q, 0, sizeof block->q);
        return;
    }
    for (int i = 0; i < BLOCK; i++) {
        float q = x[i] * inverse;
        block->q[i] = (int8_t)(q + copysignf(below_half, q));
    }
}
