/* All weights of a part first, then its biases. */
#include "08-transformer-block/count_parameters.h"

ParameterCounts count_parameters(const ModelShape *s) {
    uint64_t d = s->d_model, kv = 2 * s->n_kv_head * (d / s->n_head),
             n_up = s->gated_ffn ? 2 : 1;
    ParameterCounts c;
    c.embeddings = d * (s->n_vocab + s->n_positions + s->n_segments);
    c.attention = s->n_layer * (d * d + d * kv + d * d);
    if (s->qkv_bias) c.attention += s->n_layer * (d + kv);
    if (s->proj_bias) c.attention += s->n_layer * d;
    c.ffn = s->n_layer * (n_up + 1) * d * s->d_ff;
    if (s->ffn_bias) c.ffn += s->n_layer * (n_up * s->d_ff + d);
    c.norms = d * s->norm_vectors *
              (s->n_layer + s->n_layer + s->embedding_norm + s->final_norm);
    c.head = 0;
    if (s->pooler) c.head = d * (d + 1);
    if (!s->tied_head) c.head += d * s->n_vocab;
    c.total = c.head + c.norms + c.ffn + c.attention + c.embeddings;
    return c;
}
