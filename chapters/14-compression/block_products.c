/* Products with blocks: see block_products.h. A WeightType for each way to multiply, so
 * that the model does not know. */
#include "14-compression/block_products.h"

#include <stdint.h>
#include <stdlib.h>

#include "14-compression/q4_0.h"
#include "14-compression/q8_0.h"
#include "14-compression/q8_dot.h"
#include "base/memory.h"

static size_t bytes_q8_0(const Weight *w) {
    return weight_q8_0.bytes(w);
}

static size_t bytes_q4_0(const Weight *w) {
    return weight_q4_0.bytes(w);
}

static void read_q8_0(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    const BlockQ8_0 *from =
        (const BlockQ8_0 *)w->data + (row * w->cols + first) / BLOCK;
    for (size_t c = 0; c < n; c += BLOCK) q8_0_decode(out + c, from + c / BLOCK);
}

static void read_q4_0(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    weight_q4_0.read(out, w, row, first, n);
}

/* --- with floats --- */

static void add_bias(float *out, const float *bias, size_t n, size_t rows) {
    for (size_t i = 0; bias && i < n * rows; i++) out[i] += bias[i % rows];
}

static void multiply_q4_0(float *out, const float *x, const Weight *w,
                          const float *bias, size_t n) {
    enum { AT_ONCE = 64 };
    const BlockQ4_0 *blocks = w->data;
    size_t rows = w->rows, cols = w->cols;
    for (size_t i = 0; i < n; i++) {
#pragma omp parallel for
        for (size_t r = 0; r < rows; r += AT_ONCE) {
            size_t count = rows - r < AT_ONCE ? rows - r : AT_ONCE;
            q4_0_matvec(out + i * rows + r, x + i * cols, blocks + r * (cols / BLOCK),
                        count, cols);
        }
    }
    add_bias(out, bias, n, rows);
}

/* --- with whole numbers --- */

/* x [n, cols] in blocks of Q8_0, in new memory. */
static BlockQ8_0 *in_blocks(const float *x, size_t n, size_t cols) {
    size_t n_blocks = n * (cols / BLOCK);
    BlockQ8_0 *blocks = checked_alloc(n_blocks, sizeof *blocks);
    for (size_t b = 0; b < n_blocks; b++) q8_0_encode(&blocks[b], x + b * BLOCK);
    return blocks;
}

static void multiply_integer(float *out, const float *x, const Weight *w,
                             const float *bias, size_t n) {
    size_t rows = w->rows, across = w->cols / BLOCK;
    bool four_bits = w->type->read == read_q4_0;
    const BlockQ8_0 *q8 = w->data;
    const BlockQ4_0 *q4 = w->data;
    BlockQ8_0 *blocks = in_blocks(x, n, w->cols);
#pragma omp parallel for
    for (size_t i = 0; i < n * rows; i++) {
        size_t r = i % rows;
        const BlockQ8_0 *vector = blocks + i / rows * across;
        out[i] = four_bits ? q8_dot_q4_0(q4 + r * across, vector, across)
                           : q8_dot_q8_0(q8 + r * across, vector, across);
    }
    add_bias(out, bias, n, rows);
    free(blocks);
}

static const WeightType float_q8_0 = {.name = "Q8_0",
                                      .bytes = bytes_q8_0,
                                      .read = read_q8_0,
                                      .block = BLOCK},
                        float_q4_0 = {.name = "Q4_0",
                                      .bytes = bytes_q4_0,
                                      .read = read_q4_0,
                                      .block = BLOCK,
                                      .multiply_transposed = multiply_q4_0,
                                      .most = SIZE_MAX},
                        integer_q8_0 = {.name = "Q8_0",
                                        .bytes = bytes_q8_0,
                                        .read = read_q8_0,
                                        .block = BLOCK,
                                        .multiply_transposed = multiply_integer,
                                        .most = SIZE_MAX},
                        integer_q4_0 = {.name = "Q4_0",
                                        .bytes = bytes_q4_0,
                                        .read = read_q4_0,
                                        .block = BLOCK,
                                        .multiply_transposed = multiply_integer,
                                        .most = SIZE_MAX};

static void change_type(Weight *w, bool integer) {
    if (w->type == &weight_q8_0)
        w->type = integer ? &integer_q8_0 : &float_q8_0;
    else if (w->type == &weight_q4_0)
        w->type = integer ? &integer_q4_0 : &float_q4_0;
}

void use_block_products(Gpt2 *model, bool integer) {
    for (size_t i = 0; i < model->params.n; i++) {
        const Weight *stored = model->params.items[i].tensor->stored;
        if (stored) change_type((Weight *)(uintptr_t)stored, integer);
    }
    change_type(&model->head, integer);
}
