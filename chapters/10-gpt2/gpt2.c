/* GPT-2: see gpt2.h. */
#include "10-gpt2/gpt2.h"

#include <stdlib.h>
#include <string.h>

#include "00-tensors/softmax_layer.h"
#include "05-residual-blocks/residual_init.h"
#include "06-embeddings/sinusoidal.h"
#include "06-embeddings/word_positions.h"
#include "10-gpt2/gpt2_forward.h"
#include "10-gpt2/model_file.h"
#include "10-gpt2/tied_head.h"
#include "base/error.h"
#include "base/memory.h"
#include "weights/weight_packed.h"

Gpt2Config gpt2_config(size_t n_vocab, size_t n_ctx, size_t n_layer, size_t n_head,
                       size_t d_model) {
    return (Gpt2Config){
        .n_vocab = n_vocab,
        .n_ctx = n_ctx,
        .n_layer = n_layer,
        .block = block_config_gpt2(d_model, n_head),
        .positions = POSITIONS_LEARNED,
        .init_std = 0.02f,
    };
}

bool gpt2_is_gpt2(const Gpt2Config *config) {
    const BlockConfig *b = &config->block;
    bool biases = b->qkv_bias && b->proj_bias && b->ffn_bias,
         shared = b->n_kv_head && b->n_kv_head != b->n_head;
    return b->norm == NORM_LAYER && b->placement == PRE_LN &&
           b->residual == RESIDUAL_PLAIN && b->causal && biases && !shared &&
           !b->rotary.n_pairs && !ffn_is_gated(b->ffn) && !config->own_head &&
           config->positions == POSITIONS_LEARNED;
}

static const char *positions_name(PositionKind kind) {
    switch (kind) {
    case POSITIONS_LEARNED:
        return "learned";
    case POSITIONS_SINUSOIDAL:
        return "sinusoidal";
    case POSITIONS_NONE:
        return "none";
    }
    return "unknown";
}

void gpt2_config_text(char text[CONFIG_TEXT_BYTES], const Gpt2Config *c) {
    config_text_add(text, " n_vocab %zu n_ctx %zu n_layer %zu", c->n_vocab, c->n_ctx,
                    c->n_layer);
    block_config_text(text, &c->block);
    config_text_add(text, " positions %s embd_dropout %.9g init_std %.9g",
                    positions_name(c->positions), (double)c->embd_dropout,
                    (double)c->init_std);
    if (c->own_head) config_text_add(text, " own_head 1");
}

Gpt2Config gpt2_named_config(const char *name) {
    static const struct {
        const char *name;
        size_t n_layer, n_head, d_model;
    } sizes[] = {{"gpt2", 12, 12, 768},
                 {"gpt2-medium", 24, 16, 1024},
                 {"gpt2-large", 36, 20, 1280},
                 {"gpt2-xl", 48, 25, 1600}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (strcmp(name, sizes[i].name) == 0) {
            return gpt2_config(50257, 1024, sizes[i].n_layer, sizes[i].n_head,
                               sizes[i].d_model);
        }
    }
    die("model size '%s': expected gpt2, gpt2-medium, gpt2-large or gpt2-xl", name);
}

static Tensor *table_create(Params *params, Random *init, size_t rows, size_t dim,
                            float std, const char *name) {
    Tensor *table = params_add(params, 2, (size_t[]){rows, dim}, name);
    if (init) random_fill_normal(init, table->data, rows * dim, std);
    return table;
}

/* Sinusoids are not learned: a tensor that is in no list of parameters. */
static Tensor *sinusoids_create(size_t rows, size_t dim) {
    Tensor *table = checked_alloc(1, sizeof *table);
    *table = (Tensor){.ndim = 2,
                      .shape = {rows, dim},
                      .data = checked_alloc(size_mul(rows, dim), sizeof(float))};
    sinusoidal_table(table->data, rows, dim);
    return table;
}

Gpt2 *gpt2_create(const Gpt2Config *config, ParamsMode mode, Random *init) {
    Gpt2 *model = checked_alloc(1, sizeof *model);
    model->config = *config;
    model->params.mode = mode;
    size_t d_model = config->block.d_model;
    float std = config->init_std,
          std_residual = residual_init_std(std, config->n_layer);

    model->wte =
        table_create(&model->params, init, config->n_vocab, d_model, std, "wte.weight");
    if (config->positions == POSITIONS_LEARNED) {
        model->wpe = table_create(&model->params, init, config->n_ctx, d_model, std,
                                  "wpe.weight");
    } else if (config->positions == POSITIONS_SINUSOIDAL) {
        model->wpe = sinusoids_create(config->n_ctx, d_model);
    }
    model->blocks = checked_alloc(config->n_layer, sizeof *model->blocks);
    for (size_t l = 0; l < config->n_layer; l++) {
        params_push(&model->params, "h.%zu", l);
        model->blocks[l] =
            block_create(&model->params, init, &config->block, std, std_residual, "");
        params_pop(&model->params);
    }
    NormKind last = config->block.placement == PRE_LN ? config->block.norm : NORM_NONE;
    model->ln_f =
        norm_create(&model->params, last, d_model, config->block.norm_eps, "ln_f");
    model->head_table = config->own_head
                            ? table_create(&model->params, init, config->n_vocab,
                                           d_model, std, "lm_head.weight")
                            : model->wte;
    return model;
}

void gpt2_set_dropout(Gpt2 *model, float share) {
    Gpt2Config *c = &model->config;
    c->embd_dropout = c->block.attn_dropout = c->block.resid_dropout = share;
    for (size_t l = 0; l < c->n_layer; l++) {
        model->blocks[l].config = c->block;
        model->blocks[l].attn.config.dropout = share;
    }
}

void gpt2_free(Gpt2 *model) {
    for (size_t l = 0; l < model->config.n_layer; l++) block_free(&model->blocks[l]);
    norm_free(&model->ln_f);
    if (model->config.positions == POSITIONS_SINUSOIDAL) {
        free(model->wpe->data);
        free(model->wpe);
    }
    if (model->head_repacked) weight_packed_free(&model->head);
    params_free(&model->params);
    arena_free(&model->packed);
    model_file_close(model->file);
    free(model->blocks);
    free(model);
}

Gpt2 *gpt2_copy(const Gpt2 *model) {
    Gpt2 *copy = gpt2_create(&model->config, PARAMS_TRAIN, NULL);
    for (size_t i = 0; i < copy->params.n; i++) {
        Tensor *to = copy->params.items[i].tensor;
        memcpy(to->data, model->params.items[i].tensor->data,
               tensor_size(to) * sizeof *to->data);
    }
    return copy;
}

static void check_input(const Gpt2 *model, const Gpt2Input *input) {
    const Gpt2Config *config = &model->config;
    if (input->length == 0 || input->batch == 0)
        die("the input is empty: expected at least one token");
    if (!input->positions && input->length > config->n_ctx) {
        die("a sequence of %zu tokens: the model's context is %zu", input->length,
            config->n_ctx);
    }
    for (size_t i = 0; i < input->batch * input->length; i++) {
        if (input->tokens[i] < 0 || (size_t)input->tokens[i] >= config->n_vocab) {
            die("token %d at position %zu: expected 0 to %zu", input->tokens[i],
                i % input->length, config->n_vocab - 1);
        }
        if (input->positions &&
            (input->positions[i] < 0 || (size_t)input->positions[i] >= config->n_ctx)) {
            die("position %d: the model's context is %zu", input->positions[i],
                config->n_ctx);
        }
    }
}

/* A block's own attention, told where its tokens are and which are padding, or asked
 * for its weights. */
typedef struct {
    const Attention *attn;
    const int *positions, *mask;
    Tensor **weights;
} OwnAttention;

static Tensor *own_forward(Tape *t, const void *self, Tensor *x) {
    const OwnAttention *own = self;
    return attention_at(t, own->attn, x, own->positions, own->mask, own->weights);
}

/* [n_layer]; `weights` [n_layer], or NULL. */
static const Layer *own_attention(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                                  Tensor **weights) {
    size_t n_layer = model->config.n_layer;
    OwnAttention *own = tape_alloc(t, n_layer, sizeof *own);
    Layer *layers = tape_alloc(t, n_layer, sizeof *layers);
    for (size_t l = 0; l < n_layer; l++) {
        own[l] = (OwnAttention){&model->blocks[l].attn, input->positions, input->mask,
                                weights ? &weights[l] : NULL};
        layers[l] = (Layer){own_forward, &own[l]};
    }
    return layers;
}

/* The input as gpt2_forward wants it, with the positions of the tokens. */
static Gpt2Input with_positions(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    check_input(model, input);
    Gpt2Input all = *input;
    if (!all.positions) {
        int *ids = tape_alloc(t, input->batch * input->length, sizeof *ids);
        word_positions(ids, input->mask, NULL, input->batch, input->length, 0);
        all.positions = ids;
    }
    return all;
}

Tensor *gpt2_hidden(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    Gpt2Input all = with_positions(t, model, input);
    bool rotates = input->positions && model->config.block.rotary.n_pairs;
    if (!all.attention && (all.mask || rotates))
        all.attention = own_attention(t, model, &all, NULL);
    return gpt2_forward(t, model, &all);
}

Tensor *gpt2_hidden_with_weights(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                                 Tensor **weights) {
    Gpt2Input all = with_positions(t, model, input);
    all.attention = own_attention(t, model, &all, weights);
    return gpt2_forward(t, model, &all);
}

void gpt2_head_rows(float *logits, const Gpt2 *model, const float *hidden,
                    size_t rows) {
    const Tensor *table = model->head_table;
    if (model->head.type) {
        weight_multiply_transposed(logits, hidden, &model->head, NULL, rows);
    } else if (table->stored) {
        weight_multiply_transposed(logits, hidden, table->stored, NULL, rows);
    } else {
        tied_head_forward(logits, hidden, table->data, rows, table->shape[0],
                          table->shape[1]);
    }
}

static const char *head_operation(const Gpt2 *model) {
    return model->config.own_head ? "head" : "tied head";
}

static void head_node(const TapeNode *node) {
    Tensor *hidden = node->inputs[0], *table = node->inputs[1];
    tied_head_backward(hidden->grad, table->grad, node->out->grad, hidden->data,
                       table->data, tensor_rows(hidden), table->shape[0],
                       table->shape[1]);
}

Tensor *gpt2_head(Tape *t, const Gpt2 *model, Tensor *hidden) {
    Tensor *table = model->head_table;
    size_t shape[3] = {hidden->shape[0], hidden->shape[1], table->shape[0]};
    Tensor *logits =
        tape_output(t, head_operation(model), 3, shape, TAPE_INPUTS(hidden, table));
    gpt2_head_rows(logits->data, model, hidden->data, tensor_rows(hidden));
    tape_record(t, logits, head_node);
    return logits;
}

Tensor *gpt2_logits(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    return gpt2_head(t, model, gpt2_hidden(t, model, input));
}

Tensor *gpt2_loss(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                  const int *targets) {
    size_t n = input->batch * input->length;
    int *counted = tape_alloc(t, n, sizeof *counted);
    for (size_t i = 0; i < n; i++)
        counted[i] = input->mask && !input->mask[i] ? IGNORE_TARGET : targets[i];
    return cross_entropy(t, gpt2_logits(t, model, input), counted);
}

void next_tokens(int *targets, const int *tokens, const int *mask, size_t batch,
                 size_t length) {
    for (size_t i = 0; i < batch * length; i++) {
        bool ends = (i + 1) % length == 0,
             counts = !ends && (!mask || (mask[i] && mask[i + 1]));
        targets[i] = counts ? tokens[i + 1] : IGNORE_TARGET;
    }
}

const float *gpt2_logits_at(Tape *t, const Gpt2 *model, Tensor *hidden,
                            const size_t *at) {
    size_t batch = hidden->shape[0], length = hidden->shape[1], dim = hidden->shape[2];
    float *rows = tape_alloc(t, batch * dim, sizeof *rows);
    Tensor *logits = tape_output(t, head_operation(model), 2,
                                 (size_t[]){batch, model->config.n_vocab},
                                 TAPE_INPUTS(hidden, model->head_table));
    for (size_t b = 0; b < batch; b++) {
        memcpy(rows + b * dim, hidden->data + (b * length + at[b]) * dim,
               dim * sizeof *rows);
    }
    gpt2_head_rows(logits->data, model, rows, batch);
    tape_record(t, logits, NULL);
    return logits->data;
}
