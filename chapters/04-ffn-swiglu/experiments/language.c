/* A small model of the built-in language: see language.h. */
#include "04-ffn-swiglu/experiments/language.h"

#include <math.h>
#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "text/corpus.h"
#include "base/memory.h"

enum {
    STREAM_INIT = 1,
    STREAM_BATCHES,
    TRAIN_SEED = 1,
    HELD_OUT_SEED,
    TRAIN_BYTES = 400000,
    HELD_OUT_BYTES = 100000
};

/* The text with every byte replaced by its symbol; bytes that are new get the next
 * number. */
static unsigned char *as_symbols(Language *l, const CorpusText *text,
                                 int symbol_of[256]) {
    unsigned char *symbols = checked_alloc(text->bytes, 1);
    for (size_t i = 0; i < text->bytes; i++) {
        unsigned char byte = (unsigned char)text->text[i];
        if (symbol_of[byte] < 0) {
            symbol_of[byte] = (int)l->n_symbols;
            l->bytes[l->n_symbols++] = byte;
        }
        symbols[i] = (unsigned char)symbol_of[byte];
    }
    return symbols;
}

Language language_create(void) {
    Language l = {0};
    int symbol_of[256];
    for (size_t i = 0; i < 256; i++) symbol_of[i] = -1;
    CorpusText train = corpus_generate(TRAIN_SEED, TRAIN_BYTES),
               held_out = corpus_generate(HELD_OUT_SEED, HELD_OUT_BYTES);
    l.train = as_symbols(&l, &train, symbol_of);
    l.n_train = train.bytes;
    l.held_out = as_symbols(&l, &held_out, symbol_of);
    l.n_held_out = held_out.bytes;
    free(train.text);
    free(held_out.text);
    return l;
}

void language_free(Language *l) {
    free(l->train);
    free(l->held_out);
    *l = (Language){0};
}

/* One row: a 1 for the symbol at each of the CONTEXT places before `next`, 0 for all
 * others. */
static void write_context(float *row, const Language *l, const unsigned char *next) {
    floats_zero(row, CONTEXT * l->n_symbols);
    for (size_t c = 0; c < CONTEXT; c++)
        row[c * l->n_symbols + next[-1 - (ptrdiff_t)c]] = 1.0f;
}

static Tensor *draw_batch(Tape *t, const Language *l, Random *random, int *next) {
    Tensor *x = tape_tensor(t, 2, (size_t[]){BATCH, CONTEXT * l->n_symbols}, false);
    for (size_t r = 0; r < BATCH; r++) {
        const unsigned char *place =
            l->train + CONTEXT + random_below(random, (uint32_t)(l->n_train - CONTEXT));
        write_context(x->data + r * CONTEXT * l->n_symbols, l, place);
        next[r] = *place;
    }
    return x;
}

const unsigned char *held_out_place(const Language *l, size_t p) {
    return l->held_out + CONTEXT + p * ((l->n_held_out - CONTEXT) / HELD_OUT);
}

Tensor *held_out_places(Tape *t, const Language *l, int *next) {
    Tensor *x = tape_tensor(t, 2, (size_t[]){HELD_OUT, CONTEXT * l->n_symbols}, false);
    for (size_t r = 0; r < HELD_OUT; r++) {
        const unsigned char *place = held_out_place(l, r);
        write_context(x->data + r * CONTEXT * l->n_symbols, l, place);
        next[r] = *place;
    }
    return x;
}

static LayerNorm add_norm(Params *params, const char *name) {
    return layernorm_create(params, 1, (size_t[]){D_MODEL}, 1e-5f, name);
}

static void model_create(Model *m, const Language *l, const ModelConfig *config) {
    Random init = random_stream(config->seed, STREAM_INIT);
    float std = 1.0f / sqrtf(D_MODEL), std_in = 1.0f / sqrtf(CONTEXT),
          std_down = 1.0f / sqrtf((float)config->d_ff);
    const FfnConfig ffn = {.kind = config->kind,
                           .d_model = D_MODEL,
                           .d_ff = config->d_ff,
                           .has_bias = config->has_bias,
                           .std = std,
                           .std_down = std_down};
    *m = (Model){.params = {.mode = PARAMS_TRAIN}};
    m->in = linear_create(&m->params, &init, CONTEXT * l->n_symbols, D_MODEL, true,
                          std_in, "in");
    for (size_t i = 0; i < DEPTH; i++) {
        params_push(&m->params, "h.%zu", i);
        m->norms[i] = add_norm(&m->params, "ln");
        m->ffns[i] = ffn_create(&m->params, &init, &ffn, "mlp");
        m->residuals[i] = (Residual){.placement = PRE_LN,
                                     .norm = layernorm_layer(&m->norms[i]),
                                     .sublayer = ffn_layer(&m->ffns[i]),
                                     .join = join_add()};
        params_pop(&m->params);
    }
    m->norms[DEPTH] = add_norm(&m->params, "ln_f");
    m->head =
        linear_create(&m->params, &init, D_MODEL, l->n_symbols, true, std, "head");
}

void model_free(Model *m) {
    params_free(&m->params);
}

Tensor *model_logits(Tape *t, const Model *m, Tensor *x, Tensor *branch_inputs[DEPTH]) {
    x = linear(t, &m->in, x);
    for (size_t i = 0; i < DEPTH; i++) {
        if (branch_inputs) branch_inputs[i] = layernorm(t, &m->norms[i], x);
        x = residual(t, &m->residuals[i], x);
    }
    return linear(t, &m->head, layernorm(t, &m->norms[DEPTH], x));
}

void model_train(Model *m, const Language *l, const ModelConfig *config,
                 ModelStep *on_step, void *context) {
    Random batches = random_stream(config->seed, STREAM_BATCHES);
    model_create(m, l, config);
    AdamW optimizer = adamw_create(&m->params, config->rate, 0);
    Tape t = tape_create(config->seed);
    int next[BATCH];
    if (on_step) on_step(context, m, 0);
    for (size_t step = 1; step <= config->steps; step++) {
        tape_reset(&t);
        params_zero_grad(&m->params);
        Tensor *x = draw_batch(&t, l, &batches, next);
        tape_backward(&t, cross_entropy(&t, model_logits(&t, m, x, NULL), next));
        adamw_step(&optimizer, &m->params);
        if (on_step) on_step(context, m, step);
    }
    tape_free(&t);
    adamw_free(&optimizer);
}

double model_loss(const Model *m, const Language *l) {
    Tape t = tape_for_inference();
    int *next = checked_alloc(HELD_OUT, sizeof *next);
    Tensor *x = held_out_places(&t, l, next);
    double loss =
        (double)cross_entropy(&t, model_logits(&t, m, x, NULL), next)->data[0];
    tape_free(&t);
    free(next);
    return loss;
}
