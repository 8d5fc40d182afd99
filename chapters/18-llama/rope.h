/* Exercise 18/rope: rotary positions (Su et al. 2021), in the pairs of Hugging Face.
 * Several threads may call it at once. */
#ifndef CHAPTER_18_ROPE_H
#define CHAPTER_18_ROPE_H

#include <stddef.h>

//> rope
/* frequencies [head_dim / 2], where head_dim = d_model / n_head is even: pair i turns
 * by base^(-2 i / head_dim) from one position to the next. */
void rope_frequencies(float *frequencies, size_t d_model, size_t n_head, float base);

/* Rows q | k | v: n_head heads of queries, n_kv_head of keys, n_kv_head of values, each
 * of head_dim floats, consecutive. Row r is at positions[r]; with a cache the first
 * row need not be at 0. */
typedef struct {
    size_t rows, n_head, n_kv_head, head_dim;
    const int *positions;     /* [rows] */
    const float *frequencies; /* [head_dim / 2] */
} RopeShape;

/* out = qkv, with every head of q and k rotated. With half = head_dim / 2 and
 * angle = positions[r] * frequencies[i], for i < half:
 *
 *     out[i]        = x[i] cos(angle) - x[i + half] sin(angle)
 *     out[i + half] = x[i + half] cos(angle) + x[i] sin(angle)
 *
 * Compute the angle as a product of floats, as other programs do; v is copied. out and
 * qkv do not overlap. */
void rope_forward(float *out, const float *qkv, const RopeShape *shape);

/* dqkv += the gradient with respect to qkv; dout is that with respect to out. */
void rope_backward(float *dqkv, const float *dout, const RopeShape *shape);
//< rope

#endif
