/* Counting parameters. Before you read on: make hint-08 EX=count_parameters */
#include "08-transformer-block/count_parameters.h"

static uint64_t linear_size(uint64_t n_in, uint64_t n_out, bool has_bias) {
    return n_in * n_out + (has_bias ? n_out : 0);
}

ParameterCounts count_parameters(const ModelShape *s) {
    uint64_t d = s->d_model, kv = d / s->n_head * s->n_kv_head;
    uint64_t qkv = linear_size(d, d + 2 * kv, s->qkv_bias);
    uint64_t up = linear_size(d, s->d_ff, s->ffn_bias),
             down = linear_size(s->d_ff, d, s->ffn_bias);
    uint64_t n_norms =
        2 * s->n_layer + (s->embedding_norm ? 1 : 0) + (s->final_norm ? 1 : 0);

    ParameterCounts c = {
        .embeddings = (s->n_vocab + s->n_positions + s->n_segments) * d,
        .attention = s->n_layer * (qkv + linear_size(d, d, s->proj_bias)),
        .ffn = s->n_layer * ((s->gated_ffn ? 2 : 1) * up + down),
        .norms = n_norms * s->norm_vectors * d,
        .head = (s->pooler ? linear_size(d, d, true) : 0) +
                (s->tied_head ? 0 : d * s->n_vocab),
    };
    c.total = c.embeddings + c.attention + c.ffn + c.norms + c.head;
    return c;
}
