/* Codecs that round: see round.h. */
#include "14-compression/round.h"

#include <math.h>
#include <stdint.h>

#include "14-compression/k_blocks.h"
#include "14-compression/q3.h"
#include "14-compression/q4_0.h"
#include "14-compression/q8_0.h"
#include "math/half.h"
#include "base/memory.h"

//> q4_0
void q4_0_encode(BlockQ4_0 *block, const float x[BLOCK]) {
    float most = 0;
    for (int i = 0; i < BLOCK; i++) {
        if (fabsf(x[i]) > fabsf(most)) most = x[i];
    }
    float scale = most / -8, inverse = scale != 0 ? 1 / scale : 0;
    block->scale = float_to_half(scale);
    for (int i = 0; i < BLOCK / 2; i++) {
        int low = (int)(x[i] * inverse + 8.5f),
            high = (int)(x[i + BLOCK / 2] * inverse + 8.5f);
        block->q[i] = (uint8_t)((low < 15 ? low : 15) | (high < 15 ? high : 15) << 4);
    }
}
//< q4_0

/* ggml's rule: scale = (largest - smallest) / 15, q = min(15, (int)((x - smallest) /
 * scale + 0.5)). */
static void q4_1_encode(BlockQ4_1 *block, const float x[BLOCK]) {
    float least = x[0], most = x[0];
    for (int i = 0; i < BLOCK; i++) {
        least = fminf(least, x[i]);
        most = fmaxf(most, x[i]);
    }
    float scale = (most - least) / 15, inverse = scale != 0 ? 1 / scale : 0;
    block->scale = float_to_half(scale);
    block->min = float_to_half(least);
    for (int i = 0; i < BLOCK / 2; i++) {
        int low = (int)((x[i] - least) * inverse + 0.5f),
            high = (int)((x[i + BLOCK / 2] - least) * inverse + 0.5f);
        block->q[i] = (uint8_t)((low < 15 ? low : 15) | (high < 15 ? high : 15) << 4);
    }
}

void *encode_f16(const Matrix *m, double unused) {
    (void)unused;
    size_t n = size_mul(m->rows, m->cols);
    uint16_t *halves = checked_alloc(n, sizeof *halves);
    for (size_t i = 0; i < n; i++) halves[i] = float_to_half(m->data[i]);
    return halves;
}

void *encode_bf16(const Matrix *m, double unused) {
    (void)unused;
    size_t n = size_mul(m->rows, m->cols);
    uint16_t *halves = checked_alloc(n, sizeof *halves);
    for (size_t i = 0; i < n; i++) halves[i] = float_to_bfloat(m->data[i]);
    return halves;
}

/* A codec of blocks: the rows follow each other, whole blocks each. */
#define BLOCKS(name, Block, weights)                                                   \
    void *encode_##name(const Matrix *m, double unused) {                              \
        (void)unused;                                                                  \
        size_t n = size_mul(m->rows, m->cols) / weights;                               \
        Block *blocks = checked_alloc(n, sizeof *blocks);                              \
        _Pragma("omp parallel for") for (size_t i = 0; i < n; i++)                     \
            name##_encode(blocks + i, m->data + i * weights);                          \
        return blocks;                                                                 \
    }
BLOCKS(q8_0, BlockQ8_0, BLOCK)
BLOCKS(q4_0, BlockQ4_0, BLOCK)
BLOCKS(q4_1, BlockQ4_1, BLOCK)
BLOCKS(q3, BlockQ3, BLOCK)
BLOCKS(q4_k, BlockQ4_K, SUPER_BLOCK)
BLOCKS(q6_k, BlockQ6_K, SUPER_BLOCK)
