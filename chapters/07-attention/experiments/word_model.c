/* Layers of attention and nothing else: see word_model.h. */
#include "07-attention/experiments/word_model.h"

#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/positions.h"

static Tensor *table(Params *params, Random *init, size_t rows, size_t dim,
                     const char *name) {
    Tensor *x = params_add(params, 2, (size_t[]){rows, dim}, name);
    random_fill_normal(init, x->data, rows * dim, 0.3f);
    return x;
}

WordModel word_model_create(const WordModelConfig *config, Random *init) {
    WordModel m = {.config = *config, .params = {.mode = PARAMS_TRAIN}};
    size_t dim = config->d_model;
    AttentionConfig attention = {.d_model = dim,
                                 .n_head = config->n_head,
                                 .causal = config->causal,
                                 .qkv_bias = true,
                                 .proj_bias = true};
    m.wte = table(&m.params, init, config->n_words, dim, "wte.weight");
    m.wpe = table(&m.params, init, config->length, dim, "wpe.weight");
    for (size_t l = 0; l < config->n_layer; l++) {
        params_push(&m.params, "h.%zu", l);
        m.norms[l] = norm_create(&m.params, config->norm, dim, 1e-5f, "ln");
        m.attention[l] =
            attention_create(&m.params, init, &attention, 0.2f, 0.2f, "attn");
        params_pop(&m.params);
    }
    m.norms[config->n_layer] = norm_create(&m.params, config->norm, dim, 1e-5f, "ln_f");
    m.head = linear_create(&m.params, init, dim, config->n_words, true, 0.02f, "head");
    return m;
}

void word_model_free(WordModel *m) {
    for (size_t l = 0; l <= m->config.n_layer; l++) norm_free(&m->norms[l]);
    params_free(&m->params);
}

Tensor *word_model_logits(Tape *t, const WordModel *m, const int *tokens, size_t batch,
                          size_t length, Tensor **weights) {
    Tensor *x = embedding(t, m->wte, tokens, 2, (size_t[]){batch, length}, NO_PADDING);
    x = tape_add(t, x, positions(t, m->wpe, NULL, batch, length));
    for (size_t l = 0; l < m->config.n_layer; l++) {
        Tensor *seen = norm(t, &m->norms[l], x),
               **watched = weights ? &weights[l] : NULL;
        x = tape_add(t, x, attention_with_weights(t, &m->attention[l], seen, watched));
    }
    return linear(t, &m->head, norm(t, &m->norms[m->config.n_layer], x));
}
