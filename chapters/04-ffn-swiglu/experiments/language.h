/* The model that this chapter trains: a small one of the built-in language, of FFNs
 * alone.
 *
 *     the CONTEXT bytes before -> linear -> DEPTH times x + ffn(norm(x))
 *       -> norm -> head -> the next byte
 *
 * There is no attention yet, so the context has a fixed length, and every place of it
 * has its own weights. */
#ifndef CHAPTER_04_LANGUAGE_H
#define CHAPTER_04_LANGUAGE_H

#include "01-layernorm-vs-batchnorm/layernorm_layer.h"
#include "02-pre-ln-vs-post-ln/residual.h"
#include "04-ffn-swiglu/ffn.h"

enum { CONTEXT = 8, D_MODEL = 48, DEPTH = 2, BATCH = 128, HELD_OUT = 4096 };

/* Two texts of the language, as symbols: the bytes that occur in them, numbered. */
typedef struct {
    unsigned char bytes[256]; /* [n_symbols] the byte of each symbol */
    size_t n_symbols, n_train, n_held_out;
    unsigned char *train, *held_out; /* [n_train], [n_held_out] */
} Language;

/* Always the same: seeds choose weights and batches only. language_free releases it. */
Language language_create(void);
void language_free(Language *l);

typedef struct {
    Params params;
    Linear in, head;
    Ffn ffns[DEPTH];
    LayerNorm norms[DEPTH + 1]; /* the last is the final one */
    Residual residuals[DEPTH];
} Model;

typedef struct {
    FfnKind kind;
    size_t d_ff;   /* hidden width of the FFNs as it is, gated or not */
    bool has_bias; /* of the FFNs */
    float rate;    /* of AdamW, without decay */
    size_t steps;
    uint64_t seed; /* of the weights and the batches: the batches are the same for every
                      kind */
} ModelConfig;

/* Told before the first step, and after each step. */
typedef void ModelStep(void *context, const Model *m, size_t step);

/* Trains a model; `on_step` may be NULL. model_free releases it. The model lies where
 * the caller wants it, and must stay there. */
void model_train(Model *m, const Language *l, const ModelConfig *config,
                 ModelStep *on_step, void *context);
void model_free(Model *m);

/* Held-out place p < HELD_OUT: the symbol that comes next; its context stands before
 * it. */
const unsigned char *held_out_place(const Language *l, size_t p);

/* The HELD_OUT places of the other text at which all models are judged: x [HELD_OUT,
 * CONTEXT * n_symbols] on the tape, and the symbols that come next. */
Tensor *held_out_places(Tape *t, const Language *l, int *next);

/* x [rows, CONTEXT * n_symbols] -> logits [rows, n_symbols]. `branch_inputs` may be
 * NULL, or takes the inputs of each FFN [rows, D_MODEL]. */
Tensor *model_logits(Tape *t, const Model *m, Tensor *x, Tensor *branch_inputs[DEPTH]);

/* The loss on the held-out places, in nats a byte. */
double model_loss(const Model *m, const Language *l);

#endif
