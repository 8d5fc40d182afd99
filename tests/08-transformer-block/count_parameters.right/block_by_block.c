/* A block at a time, and what stands before and behind all of them. */
#include "08-transformer-block/count_parameters.h"

static uint64_t biases(bool has, uint64_t n) {
    return has ? n : 0;
}

ParameterCounts count_parameters(const ModelShape *s) {
    ParameterCounts c = {0};
    const uint64_t d = s->d_model, head_dim = d / s->n_head, norm = d * s->norm_vectors;
    c.embeddings += s->n_vocab * d;
    c.embeddings += s->n_positions * d;
    c.embeddings += s->n_segments * d;
    if (s->embedding_norm) c.norms += norm;
    for (uint64_t block = 0; block < s->n_layer; block++) {
        uint64_t qkv_features = head_dim * (s->n_head + 2 * s->n_kv_head);
        c.attention += (d + biases(s->qkv_bias, 1)) * qkv_features;
        c.attention += (d + biases(s->proj_bias, 1)) * d;
        c.ffn += d * s->d_ff + biases(s->ffn_bias, s->d_ff);
        if (s->gated_ffn) c.ffn += d * s->d_ff + biases(s->ffn_bias, s->d_ff);
        c.ffn += s->d_ff * d + biases(s->ffn_bias, d);
        c.norms += norm + norm;
    }
    if (s->final_norm) c.norms += norm;
    if (s->pooler) c.head += d * d + d;
    if (!s->tied_head) c.head += s->n_vocab * d;
    c.total = c.embeddings + c.attention + c.ffn + c.norms + c.head;
    return c;
}
