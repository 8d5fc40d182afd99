/* Scores with a penalty for the distance: see distance_scores.h. */
#include "18-llama/experiments/distance_scores.h"

#include <math.h>

typedef struct {
    size_t rows, n_head, head_dim;
} Shape;

/* In a row q | k | v: is it the last feature of a head of q or k? */
static bool is_set(const Shape *s, size_t column) {
    return column < 2 * s->n_head * s->head_dim && (column + 1) % s->head_dim == 0;
}

static void backward(const TapeNode *node) {
    const Shape *s = node->saved;
    const float *dout = node->out->grad;
    float *dqkv = node->inputs[0]->grad;
    size_t width = 3 * s->n_head * s->head_dim;
    for (size_t i = 0; i < s->rows * width; i++) {
        if (!is_set(s, i % width)) dqkv[i] += dout[i];
    }
}

/* The value of feature `column` in a row at this position. */
static float value_at(const Shape *s, size_t column, int position) {
    size_t head = column / s->head_dim;
    if (head >= s->n_head) return (float)position;
    double slope = exp2(-8.0 * (double)(head + 1) / (double)s->n_head);
    return (float)(slope * sqrt((double)s->head_dim));
}

static Tensor *set_distances(Tape *t, const AttentionConfig *config, Tensor *qkv,
                             const int *positions) {
    Tensor *out = tape_output(t, "distances", qkv->ndim, qkv->shape, TAPE_INPUTS(qkv));
    Shape s = {tensor_rows(qkv), config->n_head, attention_head_dim(config)};
    size_t width = 3 * s.n_head * s.head_dim;
    for (size_t i = 0; i < s.rows * width; i++) {
        size_t column = i % width;
        out->data[i] = is_set(&s, column) ? value_at(&s, column, positions[i / width])
                                          : qkv->data[i];
    }
    tape_record_saved(t, out, backward, &s, sizeof s);
    return out;
}

void distance_scores_set(BlockConfig *block) {
    static const AttentionHooks hooks = {.rotate = set_distances};
    block->rotary = (Rotary){.n_pairs = block->d_model / block->n_head / 2};
    block->hooks = &hooks;
}
