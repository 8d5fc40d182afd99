/* Exercise 08/count_parameters: how many numbers a transformer learns, from its config
 * alone.
 *
 * Exact, to the last bias, so that a checkpoint that does not fit is noticed before it
 * is loaded. Seven billion do not fit into 32 bits, hence uint64_t. */
#ifndef CHAPTER_08_COUNT_PARAMETERS_H
#define CHAPTER_08_COUNT_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name;
    uint64_t n_layer, d_model, d_ff;
    uint64_t n_head, n_kv_head; /* fewer key and value heads than query heads: several
                                   queries share one (GQA) */
    uint64_t n_vocab;
    uint64_t n_positions;  /* rows of a learned position table; 0: none (sinusoidal or
                              rotary) */
    uint64_t n_segments;   /* rows of BERT's table of token types; 0: none */
    uint64_t norm_vectors; /* 2: gain and bias (LayerNorm); 1: gain (RMSNorm) */
    bool gated_ffn;        /* three matrices instead of two (chapter 04) */
    /* on q, k, v; on attention's output; on every matrix of the FFN */
    bool qkv_bias, proj_bias, ffn_bias;
    bool embedding_norm; /* a norm after the embeddings (BERT) */
    bool final_norm;     /* a norm after the last block (pre-LN models) */
    bool pooler;    /* a d_model x d_model layer with bias on the first token (BERT) */
    bool tied_head; /* the output head is the token table; otherwise a matrix of its
                       own, without bias */
} ModelShape;

/* `attention`, `ffn` and `norms` are sums over all blocks. */
typedef struct {
    uint64_t embeddings; /* tokens, positions, segments */
    uint64_t attention, ffn;
    uint64_t norms; /* two a block, and those after the embeddings and the last block */
    uint64_t head;  /* the pooler, and an output head that is not tied */
    uint64_t total;
} ParameterCounts;

/* Each head has d_model / n_head features, so that keys and values have n_kv_head times
 * as many. */
ParameterCounts count_parameters(const ModelShape *shape);

#endif
