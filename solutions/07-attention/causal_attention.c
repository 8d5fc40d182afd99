/* Causal attention. Before you read on: make hint-07 EX=causal_attention */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "05-residual-blocks/dropout.h"
#include "fmath.h"
#include "matmul.h"
#include "reduce.h"

/* The first rows of a causal head need few columns, so a head is computed in blocks of so many rows, each as
 * wide as its last row. That saves almost half of the work; smaller blocks would save little more, and each
 * costs the products their start. */
enum { BLOCK = 48 };

/* Rows `first` to `end` - 1 of a head: the positions that look. They see `width` others, or fewer. */
typedef struct {
    size_t first, end, width;
} Block;

static float score_scale(const AttentionShape *shape) {
    return 1.0f / sqrtf((float)shape->head_dim);
}

static bool worth_threads(const AttentionShape *shape) {
    return shape->n_heads > 1 && shape->n_heads * shape->length * shape->length * shape->head_dim > 1 << 14;
}

/* How many positions row t sees: they are the first ones. */
static size_t visible(const AttentionShape *shape, size_t t) {
    return shape->causal ? t + 1 : shape->length;
}

static Block block_at(const AttentionShape *shape, size_t first) {
    size_t end = first + BLOCK < shape->length ? first + BLOCK : shape->length;
    return (Block){first, end, visible(shape, end - 1)};
}

/* Hidden scores become -infinity, so that their weights are e^-infinity = 0. */
static void hide_future(float *rows, const Block *b, const AttentionShape *shape) {
    for (size_t t = b->first; t < b->end; t++, rows += b->width) {
        for (size_t s = visible(shape, t); s < b->width; s++) rows[s] = -INFINITY;
    }
}

/* Scores to weights, in place. Without taking off the largest score, exp would overflow at a score of 89. */
static void softmax_row(float *row, size_t n, float scale) {
    float max = row_max(row, n);
    for (size_t s = 0; s < n; s++) row[s] = exp_float(scale * (row[s] - max));
    float factor = 1.0f / row_sum(row, n);
    for (size_t s = 0; s < n; s++) row[s] *= factor;
}

/* Dropout of row t of head h, in place; the mask is that of the tensor of all heads. As dropout multiplies by
 * a fixed mask, the same function takes a gradient back through it. */
static void dropout_row(float *row, size_t h, size_t t, const AttentionShape *shape) {
    if (shape->dropout == 0.0f) return;
    Random random = *shape->random;
    random.next += (h * shape->length + t) * shape->length;
    dropout_forward(row, row, visible(shape, t), shape->dropout, &random);
}

void attention_forward(float *out, float *weights, float *scratch, const float *q, const float *k,
                       const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        float *w = weights + h * length * length, *room = scratch + h * length * length;
        for (size_t first = 0; first < length; first += BLOCK) {
            Block b = block_at(shape, first);
            size_t rows = b.end - b.first, from = start + b.first * dim;
            matmul_a_bt(room, q + from, k + start, rows, b.width, dim, false);
            hide_future(room, &b, shape);
            for (size_t t = b.first; t < b.end; t++) {
                float *row = room + (t - b.first) * b.width;
                softmax_row(row, b.width, score_scale(shape));
                memcpy(w + t * length, row, b.width * sizeof *row);
                memset(w + t * length + b.width, 0, (length - b.width) * sizeof *row);
                dropout_row(row, h, t, shape);
            }
            matmul(out + from, room, v + start, rows, dim, b.width, false);
        }
    }
}

/* The gradient of the weights to that of the scores q k^T, in place. A hidden score, with a weight of 0, gets
 * none. */
static void softmax_row_backward(float *dw, const float *w, size_t n, float scale) {
    float mean = row_dot(dw, w, n);
    for (size_t s = 0; s < n; s++) dw[s] = scale * w[s] * (dw[s] - mean);
}

void attention_backward(float *dq, float *dk, float *dv, float *scratch, const float *dout,
                        const float *weights, const float *q, const float *k, const float *v,
                        const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        const float *w = weights + h * length * length;
        float *room = scratch + h * length * length;
        for (size_t first = 0; first < length; first += BLOCK) {
            Block b = block_at(shape, first);
            size_t rows = b.end - b.first, from = start + b.first * dim;
            for (size_t t = b.first; t < b.end && dv; t++) {
                float *row = room + (t - b.first) * b.width;
                memcpy(row, w + t * length, b.width * sizeof *row);
                dropout_row(row, h, t, shape);
            }
            if (dv) matmul_at_b(dv + start, room, dout + from, b.width, dim, rows, true);
            matmul_a_bt(room, dout + from, v + start, rows, b.width, dim, false);
            for (size_t t = b.first; t < b.end; t++) {
                float *row = room + (t - b.first) * b.width;
                dropout_row(row, h, t, shape);
                softmax_row_backward(row, w + t * length, b.width, score_scale(shape));
            }
            if (dq) matmul(dq + from, room, k + start, rows, dim, b.width, true);
            if (dk) matmul_at_b(dk + start, room, q + from, b.width, dim, rows, true);
        }
    }
}
