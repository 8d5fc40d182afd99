/* Where the models after GPT-2 do something else between attention's two projections:
 * they rotate queries and keys, and several queries share a key. Chapter 18 has both
 * functions; here are their places alone, so that one attention and one cache serve
 * all. */
#ifndef CHAPTER_07_HOOKS_H
#define CHAPTER_07_HOOKS_H

#include "07-attention/group_shape.h"
#include "tensor/tape.h"

enum { ROTARY_MOST_PAIRS = 256 };

/* Rotary positions (RoPE): pair i of a head that stands at position p is turned by the
 * angle p * frequencies[i]. The frequencies were made from the other numbers. */
typedef struct {
    size_t n_pairs; /* half a head; 0: nothing is rotated */
    float base;
    float factor, low, high; /* Llama 3's scaling; factor 0: none */
    size_t original_context; /* that the factors are relative to */
    float frequencies[ROTARY_MOST_PAIRS];
} Rotary;

typedef struct AttentionConfig AttentionConfig;

typedef struct {
    /* qkv [B, T, ...] with q and k turned to their positions [B, T] (18/rope). */
    Tensor *(*rotate)(Tape *t, const AttentionConfig *config, Tensor *qkv,
                      const int *positions);
    /* Attention of one new token over a cache of shared keys (18/gqa_step). */
    void (*step)(float *out, float *scratch, const float *q, const float *keys,
                 const float *values, const GroupShape *shape);
} AttentionHooks;

#endif
