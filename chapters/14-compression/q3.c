/* Three bits a weight: see q3.h. */
#include "14-compression/q3.h"

#include <math.h>
#include <string.h>

#include "14-compression/stream.h"
#include "math/half.h"
#include "base/memory.h"

void q3_encode(BlockQ3 *block, const float x[BLOCK]) {
    float most = 0;
    for (int i = 0; i < BLOCK; i++) {
        if (fabsf(x[i]) > fabsf(most)) most = x[i];
    }
    float scale = most / -4, inverse = scale != 0 ? 1 / scale : 0;
    memset(block, 0, sizeof *block);
    block->scale = float_to_half(scale);
    for (size_t i = 0; i < BLOCK; i++) {
        int q = (int)(x[i] * inverse + 4.5f);
        bits_put(block->q, i, 3, (uint32_t)(q < 7 ? q : 7));
    }
}

static size_t bytes_q3(const Weight *w) {
    return size_mul(size_mul(w->rows, w->cols / BLOCK), sizeof(BlockQ3));
}

static void read_q3(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    const BlockQ3 *block = (const BlockQ3 *)w->data + (row * w->cols + first) / BLOCK;
    for (size_t i = 0; i < n; i++) {
        const BlockQ3 *b = block + i / BLOCK;
        out[i] =
            half_to_float(b->scale) * (float)((int)bits_get(b->q, i % BLOCK, 3) - 4);
    }
}

const WeightType weight_q3 = {
    .name = "Q3", .bytes = bytes_q3, .read = read_q3, .block = BLOCK};
