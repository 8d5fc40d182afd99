/* Tests of exercise 08/count_parameters: a shape whose numbers are all different,
 * real models, and real blocks. */
#include "08-transformer-block/count_parameters.h"

#include <inttypes.h>

#include "08-transformer-block/block.h"
#include "08-transformer-block/models.h"
#include "check/check.h"

/* Small, and every part of it has a size that no other part has. */
static const ModelShape small = {.n_layer = 3,
                                 .d_model = 10,
                                 .d_ff = 17,
                                 .n_head = 5,
                                 .n_kv_head = 5,
                                 .n_vocab = 101,
                                 .n_positions = 13,
                                 .norm_vectors = 2,
                                 .tied_head = true};

static void check_count(const char *what, uint64_t got, uint64_t expected,
                        const char *if_not) {
    CHECK(got == expected,
          "%s: got %" PRIu64 ", expected %" PRIu64 " (%+" PRId64 "): %s", what, got,
          expected, (int64_t)(got - expected), if_not);
}

Test(count_parameters, embeddings, .timeout = 10) {
    ModelShape s = small;
    check_count("embeddings", count_parameters(&s).embeddings, 1140,
                "101 tokens and 13 positions of 10 numbers each");
    s.n_segments = 2;
    check_count("embeddings with segments", count_parameters(&s).embeddings, 1160,
                "two segments are 20 more");
    s.n_positions = 0;
    check_count("embeddings without positions", count_parameters(&s).embeddings, 1030,
                "without a position table 130 less");
}

Test(count_parameters, attention, .timeout = 10) {
    ModelShape s = small;
    check_count("attention", count_parameters(&s).attention, 1200,
                "q, k, v and the output are four 10 x 10 matrices in each of 3 blocks");
    s.qkv_bias = true;
    check_count("attention, qkv_bias", count_parameters(&s).attention, 1290,
                "q, k and v have a bias of 10 each: 30 a block");
    s.proj_bias = true;
    check_count("attention, both biases", count_parameters(&s).attention, 1320,
                "the output's bias is 10 a block, beside the 30 of q, k and v");
}

/* 5 query heads of 2 features, 1 head for keys and values: k and v are 10 x 2. */
Test(count_parameters, shared_key_and_value_heads, .timeout = 10) {
    ModelShape s = small;
    s.n_kv_head = 1;
    check_count("attention, n_kv_head 1", count_parameters(&s).attention,
                3 * (100 + 20 + 20 + 100),
                "keys and values have d_model / n_head * n_kv_head features");
    s.qkv_bias = true;
    check_count("attention, n_kv_head 1, qkv_bias", count_parameters(&s).attention,
                3 * (240 + 14), "the biases of k and v have 2 numbers each");
}

Test(count_parameters, ffn, .timeout = 10) {
    ModelShape s = small;
    check_count("ffn", count_parameters(&s).ffn, 1020,
                "10 x 17 and 17 x 10 in each of 3 blocks");
    s.ffn_bias = true;
    check_count("ffn, biases", count_parameters(&s).ffn, 1101,
                "17 numbers on the way up and 10 on the way down");
    s.gated_ffn = true;
    check_count("ffn, gated, biases", count_parameters(&s).ffn, 1662,
                "the gate is a third matrix, 10 x 17, with its own bias of 17");
}

Test(count_parameters, norms, .timeout = 10) {
    ModelShape s = small;
    check_count("norms", count_parameters(&s).norms, 120,
                "two norms a block, each a gain and a bias of 10");
    s.norm_vectors = 1;
    check_count("norms, RMSNorm", count_parameters(&s).norms, 60,
                "RMSNorm has a gain only");
    s.final_norm = true;
    check_count("norms, final_norm", count_parameters(&s).norms, 70,
                "one more behind the last block");
    s.embedding_norm = true;
    check_count("norms, embedding_norm", count_parameters(&s).norms, 80,
                "one more behind the embeddings");
    s.norm_vectors = 2;
    check_count(
        "norms, all of them LayerNorm", count_parameters(&s).norms, 160,
        "those behind the embeddings and the last block have a gain and a bias, too");
}

Test(count_parameters, head, .timeout = 10) {
    ModelShape s = small;
    check_count("head, tied", count_parameters(&s).head, 0,
                "a tied head is the token table and counts once");
    s.tied_head = false;
    check_count("head, not tied", count_parameters(&s).head, 1010,
                "101 x 10, without a bias");
    s.tied_head = true;
    s.pooler = true;
    check_count("head, tied, with a pooler", count_parameters(&s).head, 110,
                "the pooler is 10 x 10 and a bias of 10");
    s.tied_head = false;
    check_count("head, not tied, with a pooler", count_parameters(&s).head, 1120,
                "1010 of the output head and 110 of the pooler: a model may have both");
    s.n_kv_head = 1;
    check_count("head, with a pooler, n_kv_head 1", count_parameters(&s).head, 1120,
                "the pooler knows nothing of heads");
}

Test(count_parameters, total_is_the_sum, .timeout = 10) {
    ParameterCounts c = count_parameters(&small);
    check_count("total", c.total, 3480, "the sum of the parts");
    check_count("total", c.total, c.embeddings + c.attention + c.ffn + c.norms + c.head,
                "the sum of the parts");
}

/* More than 32 bits hold, in one part: a count kept in fewer would lose 2^32 of them on
 * any machine. */
Test(count_parameters, more_than_32_bits, .timeout = 10) {
    ModelShape s = {.n_layer = 1000,
                    .d_model = 10000,
                    .d_ff = 50000,
                    .n_head = 1,
                    .n_kv_head = 1,
                    .n_vocab = 1000000,
                    .norm_vectors = 1};
    ParameterCounts c = count_parameters(&s);
    check_count("embeddings", c.embeddings, 10000000000, "uint64_t counts them");
    check_count("attention", c.attention, 400000000000, "uint64_t counts them");
    check_count("ffn", c.ffn, 1000000000000, "uint64_t counts them");
    check_count("head", c.head, 10000000000, "uint64_t counts them");
}

Test(count_parameters, published_models, .timeout = 10) {
    for (size_t i = 0; i < N_KNOWN_MODELS; i++) {
        ParameterCounts c = count_parameters(&known_models[i].shape);
        check_count("total", c.total,
                    c.embeddings + c.attention + c.ffn + c.norms + c.head,
                    "it is the sum of the five parts, as they are in the end");
        check_count(known_models[i].shape.name,
                    count_parameters(&known_models[i].shape).total,
                    known_models[i].published, "the checkpoint has so many");
    }
}

/* The block of this chapter, built: what it registers is what was counted. */
static void check_block(BlockConfig config, const char *what) {
    Params params = {.mode = PARAMS_MAPPED};
    Block b = block_create(&params, NULL, &config, 0, 0, "h.0");
    ModelShape s = {.n_layer = 1,
                    .d_model = config.d_model,
                    .d_ff = config.d_ff,
                    .n_head = config.n_head,
                    .n_kv_head = config.n_head,
                    .norm_vectors = config.norm == NORM_LAYER ? 2 : 1,
                    .gated_ffn = ffn_is_gated(config.ffn),
                    .qkv_bias = config.qkv_bias,
                    .proj_bias = config.proj_bias,
                    .ffn_bias = config.ffn_bias,
                    .tied_head = true};
    check_count(what, count_parameters(&s).total, params_count(&params),
                "the block registers so many");
    block_free(&b);
    params_free(&params);
}

Test(count_parameters, blocks_as_they_are_built, .timeout = 10) {
    BlockConfig c = block_config_gpt2(24, 3);
    check_block(c, "a GPT-2 block");
    c.norm = NORM_RMS;
    c.ffn = FFN_SWIGLU;
    c.d_ff = 50;
    check_block(c, "a gated block with RMSNorm");
    block_set_biases(&c, false);
    check_block(c, "the same without biases");
}
