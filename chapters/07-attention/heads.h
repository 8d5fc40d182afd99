/* Exercise 07/heads: splitting a row of features into heads, and merging them again.
 * Several threads may call it at once. */
#ifndef CHAPTER_07_HEADS_H
#define CHAPTER_07_HEADS_H

#include <stddef.h>

/* x [batch, length, n_head * head_dim] -> out [batch, n_head, length, head_dim].
 * The rows of x are `stride` floats apart: a stride above n_head * head_dim takes one
 * part of a fused q|k|v row. */
void split_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride);

/* The inverse: x [batch, n_head, length, head_dim] is ADDED to out [batch, length,
 * ...], rows `stride` apart. It is the backward pass of split_heads, and, into zeros,
 * the merge after attention. */
void merge_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride);

#endif
