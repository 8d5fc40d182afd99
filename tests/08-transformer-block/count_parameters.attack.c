/* An attack on 08/count_parameters: every combination of the eight switches, matrix by
 * matrix; and a model of more than 32 bits. */
#include "08-transformer-block/count_parameters.h"

#include <inttypes.h>

#include "check/check.h"

static uint64_t matrix(uint64_t n_in, uint64_t n_out, bool bias) {
    return n_in * n_out + bias * n_out;
}

static void check_model(ModelShape s) {
    uint64_t d = s.d_model, kv = d / s.n_head * s.n_kv_head;
    ParameterCounts c = count_parameters(&s), right = {0};
    right.embeddings = s.n_vocab * d + s.n_positions * d + s.n_segments * d;
    for (uint64_t l = 0; l < s.n_layer; l++) {
        right.attention += matrix(d, d, s.qkv_bias) + 2 * matrix(d, kv, s.qkv_bias) +
                           matrix(d, d, s.proj_bias);
        right.ffn += matrix(d, s.d_ff, s.ffn_bias) + matrix(s.d_ff, d, s.ffn_bias);
        if (s.gated_ffn) right.ffn += matrix(d, s.d_ff, s.ffn_bias);
        right.norms += 2 * s.norm_vectors * d;
    }
    right.norms += (s.embedding_norm + s.final_norm) * s.norm_vectors * d;
    right.head = s.pooler * matrix(d, d, true) + !s.tied_head * s.n_vocab * d;
    right.total =
        right.embeddings + right.attention + right.ffn + right.norms + right.head;
#define SAME(part)                                                                     \
    CHECK(c.part == right.part, #part " is %" PRIu64 ", expected %" PRIu64, c.part,    \
          right.part)
    SAME(embeddings);
    SAME(attention);
    SAME(ffn);
    SAME(norms);
    SAME(head);
    SAME(total);
}

Test(attack, all_switches) {
    for (unsigned on = 0; on < 256; on++)
        check_model((ModelShape){.n_layer = 3,
                                 .d_model = 12,
                                 .d_ff = 17,
                                 .n_head = 6,
                                 .n_kv_head = 1 + on % 3,
                                 .n_vocab = 101,
                                 .n_positions = 13,
                                 .n_segments = 2,
                                 .norm_vectors = 1 + on % 2,
                                 .gated_ffn = on & 1,
                                 .qkv_bias = on & 2,
                                 .proj_bias = on & 4,
                                 .ffn_bias = on & 8,
                                 .embedding_norm = on & 16,
                                 .final_norm = on & 32,
                                 .pooler = on & 64,
                                 .tied_head = on & 128});
}

Test(attack, large) {
    check_model((ModelShape){.n_layer = 96,
                             .d_model = 12288,
                             .d_ff = 49152,
                             .n_head = 96,
                             .n_kv_head = 96,
                             .n_vocab = 50257,
                             .norm_vectors = 2});
}
