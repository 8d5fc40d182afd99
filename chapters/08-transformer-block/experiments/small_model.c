/* The model of this chapter's experiments: see small_model.h. */
#include "08-transformer-block/experiments/small_model.h"

#include <stdlib.h>

#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/positions.h"
#include "base/memory.h"

static NormKind final_norm(const BlockConfig *config) {
    return config->placement == POST_LN ? NORM_NONE : config->norm;
}

static Tensor *table(Params *params, Random *init, size_t rows, size_t dim,
                     const char *name) {
    Tensor *x = params_add(params, 2, (size_t[]){rows, dim}, name);
    random_fill_normal(init, x->data, rows * dim, 1.0f);
    return x;
}

SmallModel small_model_create(const SmallModelConfig *config, Random *init) {
    SmallModel m = {.config = *config, .params = {.mode = PARAMS_TRAIN}};
    size_t d_model = config->block.d_model;
    m.blocks = checked_alloc(config->n_layer, sizeof *m.blocks);
    m.wte = table(&m.params, init, config->n_tokens, d_model, "wte.weight");
    m.wpe = table(&m.params, init, config->length, d_model, "wpe.weight");
    for (size_t l = 0; l < config->n_layer; l++) {
        params_push(&m.params, "h.%zu", l);
        m.blocks[l] = block_create(&m.params, init, &config->block, config->std,
                                   config->std_residual, "");
        params_pop(&m.params);
    }
    m.ln_f = norm_create(&m.params, final_norm(&config->block), d_model,
                         config->block.norm_eps, "ln_f");
    m.head = linear_create(&m.params, init, d_model, config->n_tokens, false,
                           config->std, "lm_head");
    return m;
}

Tensor *small_model_logits(Tape *t, const SmallModel *m, const int *tokens,
                           size_t batch, const Layer *attention) {
    size_t length = m->config.length;
    Tensor *x = embedding(t, m->wte, tokens, 2, (size_t[]){batch, length}, NO_PADDING);
    x = tape_add(t, x, positions(t, m->wpe, NULL, batch, length));
    for (size_t l = 0; l < m->config.n_layer; l++) {
        const Block *b = &m->blocks[l];
        x = block_forward(t, b, attention ? *attention : attention_layer(&b->attn), x);
    }
    return linear(t, &m->head, norm(t, &m->ln_f, x));
}

void small_model_free(SmallModel *m) {
    for (size_t l = 0; l < m->config.n_layer; l++) block_free(&m->blocks[l]);
    free(m->blocks);
    norm_free(&m->ln_f);
    params_free(&m->params);
}
