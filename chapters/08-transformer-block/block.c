/* The transformer block: see block.h. */
#include "08-transformer-block/block.h"

#include <string.h>

#include "02-pre-ln-vs-post-ln/stack.h"
#include "files/checksum.h"

BlockConfig block_config_gpt2(size_t d_model, size_t n_head) {
    return (BlockConfig){
        .d_model = d_model,
        .n_head = n_head,
        .d_ff = 4 * d_model,
        .norm = NORM_LAYER,
        .placement = PRE_LN,
        .ffn = FFN_GELU_TANH,
        .residual = RESIDUAL_PLAIN,
        .norm_eps = 1e-5f,
        .causal = true,
        .qkv_bias = true,
        .proj_bias = true,
        .ffn_bias = true,
    };
}

void block_set_biases(BlockConfig *config, bool biases) {
    config->qkv_bias = biases;
    config->proj_bias = biases;
    config->ffn_bias = biases;
}

static const char *attention_name(AttentionKind kind) {
    switch (kind) {
    case ATTENTION_PLAIN:
        return "plain";
    case ATTENTION_ONLINE:
        return "online";
    }
    return "unknown";
}

/* Adds the settings that GPT-2's block does not have; for GPT-2's it adds nothing, so
 * that the words of its checkpoints stay. */
static void add_rest(char text[CONFIG_TEXT_BYTES], const BlockConfig *c) {
    if (c->qkv_bias != c->ffn_bias || c->proj_bias != c->ffn_bias)
        config_text_add(text, " qkv_bias %d proj_bias %d", c->qkv_bias, c->proj_bias);
    if (c->n_kv_head && c->n_kv_head != c->n_head)
        config_text_add(text, " n_kv_head %zu", c->n_kv_head);
    if (c->hooks) config_text_add(text, " hooks 1");
    static const Rotary none;
    const Rotary *r = &c->rotary;
    if (memcmp(r, &none, sizeof none) == 0) return;
    config_text_add(text, " rotary %zu base %.9g factor %.9g low %.9g high %.9g",
                    r->n_pairs, (double)r->base, (double)r->factor, (double)r->low,
                    (double)r->high);
    char frequencies[CHECKSUM_TEXT];
    Checksum sum = checksum_begin();
    checksum_add(&sum, r->frequencies, sizeof r->frequencies);
    checksum_end(&sum, frequencies);
    config_text_add(text, " original_context %zu frequencies %s", r->original_context,
                    frequencies);
}

void block_config_text(char text[CONFIG_TEXT_BYTES], const BlockConfig *c) {
    config_text_add(
        text,
        " d_model %zu n_head %zu d_ff %zu norm %s placement %s ffn %s residual %s",
        c->d_model, c->n_head, c->d_ff, norm_name(c->norm),
        placement_name(c->placement), ffn_name(c->ffn), residual_name(c->residual));
    config_text_add(
        text,
        " norm_eps %.9g attn_dropout %.9g resid_dropout %.9g causal %d has_bias %d",
        (double)c->norm_eps, (double)c->attn_dropout, (double)c->resid_dropout,
        c->causal, c->ffn_bias);
    /* The kinds round differently, so a run goes on with its own. Older checkpoints
     * know only the plain one. */
    if (c->attention != ATTENTION_PLAIN)
        config_text_add(text, " attention %s", attention_name(c->attention));
    add_rest(text, c);
}

Block block_create(Params *params, Random *init, const BlockConfig *config, float std,
                   float std_residual, const char *name) {
    Block b = {.config = *config};
    AttentionConfig attention = {.d_model = config->d_model,
                                 .n_head = config->n_head,
                                 .n_kv_head = config->n_kv_head,
                                 .causal = config->causal,
                                 .qkv_bias = config->qkv_bias,
                                 .proj_bias = config->proj_bias,
                                 .dropout = config->attn_dropout,
                                 .kind = config->attention,
                                 .rotary = config->rotary,
                                 .hooks = config->hooks};
    FfnConfig ffn = {.kind = config->ffn,
                     .d_model = config->d_model,
                     .d_ff = config->d_ff,
                     .has_bias = config->ffn_bias,
                     .std = std,
                     .std_down = std_residual};

    params_push(params, "%s", name);
    b.ln_1 =
        norm_create(params, config->norm, config->d_model, config->norm_eps, "ln_1");
    b.attn = attention_create(params, init, &attention, std, std_residual, "attn");
    b.ln_2 =
        norm_create(params, config->norm, config->d_model, config->norm_eps, "ln_2");
    b.mlp = ffn_create(params, init, &ffn, "mlp");
    b.join_1 =
        residual_join_create(params, config->residual, config->d_model, "join_1");
    b.join_2 =
        residual_join_create(params, config->residual, config->d_model, "join_2");
    params_pop(params);
    return b;
}

void block_free(Block *b) {
    norm_free(&b->ln_1);
    norm_free(&b->ln_2);
}
