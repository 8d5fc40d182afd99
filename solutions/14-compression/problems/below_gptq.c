/* Open problem 14/below_gptq: from GPTQ on, one weight or one scale after the other
 * chooses again. Before you read on: make hint-14 P=below_gptq */
#include "14-compression/problems/below_gptq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/gptq.h"
#include "math/half.h"
#include "base/memory.h"

enum { ROUNDS = 20 };

/* A row: q - 8 and the scale of each weight's block, and g = H e with the error e of
 * the decoded weights. */
typedef struct {
    size_t cols;
    const float *h;
    double *q, *scale, *g;
} Row;

static void move(Row *r, size_t j, double by) {
    for (size_t l = 0; l < r->cols; l++) r->g[l] += by * (double)r->h[l * r->cols + j];
}

static void choose_weight(Row *r, size_t j) {
    double s = r->scale[j], h = (double)r->h[j * r->cols + j];
    if (s == 0 || h <= 0) return;
    double best = rint(r->q[j] - r->g[j] / h / s);
    best = best < -8 ? -8 : best > 7 ? 7 : best;
    if (best == r->q[j]) return;
    move(r, j, s * (best - r->q[j]));
    r->q[j] = best;
}

static void choose_scale(Row *r, size_t first) {
    double along = 0, across = 0;
    for (size_t i = first; i < first + BLOCK; i++) {
        along += r->g[i] * r->q[i];
        for (size_t j = first; j < first + BLOCK; j++)
            across += r->q[i] * (double)r->h[i * r->cols + j] * r->q[j];
    }
    if (!(across > 0)) return;
    double scale =
        (double)half_to_float(float_to_half((float)(r->scale[first] - along / across)));
    for (size_t i = first; i < first + BLOCK; i++) {
        move(r, i, (scale - r->scale[i]) * r->q[i]);
        r->scale[i] = scale;
    }
}

static int nibble(const BlockQ4_0 *b, size_t i) {
    return i < BLOCK / 2 ? b->q[i] & 15 : b->q[i - BLOCK / 2] >> 4;
}

static void improve(BlockQ4_0 *blocks, const float *w, Row *r) {
    memset(r->g, 0, r->cols * sizeof *r->g);
    for (size_t j = 0; j < r->cols; j++) {
        r->q[j] = nibble(&blocks[j / BLOCK], j % BLOCK) - 8;
        r->scale[j] = (double)half_to_float(blocks[j / BLOCK].scale);
        move(r, j, r->scale[j] * r->q[j] - (double)w[j]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t j = 0; j < r->cols; j++) choose_weight(r, j);
        for (size_t first = 0; first < r->cols; first += BLOCK) choose_scale(r, first);
    }
    for (size_t b = 0; b < r->cols / BLOCK; b++) {
        blocks[b].scale = float_to_half((float)r->scale[b * BLOCK]);
        for (size_t i = 0; i < BLOCK / 2; i++) {
            int low = (int)r->q[b * BLOCK + i] + 8,
                high = (int)r->q[b * BLOCK + BLOCK / 2 + i] + 8;
            blocks[b].q[i] = (uint8_t)(low | high << 4);
        }
    }
}

void below_gptq(BlockQ4_0 *blocks, const float *w, const float *h, size_t rows,
                size_t cols) {
    void *start = gptq_encode_q4_0(&(Matrix){w, rows, cols, h}, 0);
    memcpy(blocks, start, rows * cols / BLOCK * sizeof *blocks);
    free(start);
    double *room = checked_alloc(3 * cols, sizeof *room);
    Row row = {cols, h, room, room + cols, room + 2 * cols};
    for (size_t r = 0; r < rows; r++)
        improve(blocks + r * (cols / BLOCK), w + r * cols, &row);
    free(room);
}
