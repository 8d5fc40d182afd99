/* GPT-2: embeddings, blocks, a final norm, and the token table once more as the output
 * head. With the block configured otherwise (chapter 18), and perhaps a head of its
 * own, it is LLaMA. */
#ifndef CHAPTER_10_GPT2_H
#define CHAPTER_10_GPT2_H

#include "08-transformer-block/block.h"
#include "tensor/arena.h"
#include "weights/params.h"

typedef enum { POSITIONS_LEARNED, POSITIONS_SINUSOIDAL, POSITIONS_NONE } PositionKind;

/* Bounds that no GPT-2 reaches, so that a hostile config is refused before it costs
 * memory or time. */
enum {
    GPT2_MAX_VOCAB = 1 << 24,
    GPT2_MAX_CONTEXT = 1 << 24,
    GPT2_MAX_LAYERS = 1 << 10,
    GPT2_MAX_HEADS = 1 << 12,
    GPT2_MAX_WIDTH = 1 << 16
};

typedef struct {
    size_t n_vocab, n_ctx, n_layer;
    BlockConfig block;
    PositionKind positions;
    float embd_dropout; /* on the sum of the embeddings */
    float init_std;     /* 0.02 */
    bool own_head;      /* false: tied, the head is the token table */
} Gpt2Config;

typedef struct {
    Gpt2Config config;
    Params params;      /* all of them, under Hugging Face's names */
    Tensor *wte;        /* [n_vocab, d_model] */
    Tensor *head_table; /* [n_vocab, d_model], the output head: wte, unless own_head */
    Tensor *wpe;        /* [n_ctx, d_model]; sinusoids are a constant table; NULL for
                           POSITIONS_NONE */
    Block *blocks;      /* [n_layer] */
    Norm ln_f;          /* after a pre-LN stack; NORM_NONE after a post-LN one */
    struct ModelFile *file; /* what PARAMS_MAPPED parameters lie in, or NULL */
    Weight head; /* the output head in another storage type: from the file, or made by
                    gpt2_repack */
    bool head_repacked; /* made by gpt2_repack */
    size_t n_repacked;  /* parameters that gpt2_repack_next has done */
    Arena packed;       /* the packed matrices side by side, to share large pages */
} Gpt2;

/* GPT-2's own choices for the sizes given: see block_config_gpt2; d_ff = 4 d_model. */
Gpt2Config gpt2_config(size_t n_vocab, size_t n_ctx, size_t n_layer, size_t n_head,
                       size_t d_model);

/* Is it a model that GPT-2's files can describe, but for its activation: pre-LN,
 * LayerNorm, all biases, learned positions, plain residual connections, no gate? */
bool gpt2_is_gpt2(const Gpt2Config *config);

/* The four published sizes: "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl";
 * ends the program for other names. */
Gpt2Config gpt2_named_config(const char *name);

/* The whole configuration in words, appended to `text` (config_text.h). */
void gpt2_config_text(char text[CONFIG_TEXT_BYTES], const Gpt2Config *config);

/* A model with weights from N(0, init_std^2), those that write to the residual stream
 * scaled down by 1/sqrt(2 n_layer), biases 0, gains 1. `init` NULL leaves the weights
 * to be loaded. */
Gpt2 *gpt2_create(const Gpt2Config *config, ParamsMode mode, Random *init);
void gpt2_free(Gpt2 *model);

/* Another model with the same floats, and with gradients. */
Gpt2 *gpt2_copy(const Gpt2 *model);

/* From now on so much is dropped in training: of the embeddings' sum, attention weights
 * and outputs of the sublayers. */
void gpt2_set_dropout(Gpt2 *model, float share);

/* Packs the matrices and the head for writing (weight_packed.h): the same results to
 * the last bit, sooner. It takes as long as a few tokens, and as much memory as the
 * weights until gpt2_free; the file's pages are given back. */
void gpt2_repack(Gpt2 *model);

/* The next part of that, a sixteenth of the weights or 32 MB, or the head; false:
 * nothing was left. A text that has to begin at once does this after each token. */
bool gpt2_repack_next(Gpt2 *model);

/* From now on the matrices and the head that are Q8_0, Q4_0 or Q4_1 are multiplied in
 * whole numbers (panel_integers.h), as filed and packed; to be called before the first
 * is packed. Returns how many they are. */
size_t gpt2_use_integers(Gpt2 *model);

/* The inputs of a forward pass. */
typedef struct {
    const int *tokens; /* [batch, length] */
    size_t batch, length;
    const int *positions;   /* [batch, length], or NULL: 0, 1, 2 ... in each row, and
                               padding is not counted */
    const Layer *attention; /* [n_layer] to put in the place of each block's own
                               attention, or NULL */
    Tensor **hidden; /* [n_layer + 1] to be filled with the embeddings and each block's
                        output, or NULL */
    const int *mask; /* [batch, length]: 0 for padding, in front of, behind or between
                        the tokens; NULL: there is none. What else takes the place of
                        the attention sees to it itself. */
} Gpt2Input;

/* The final hidden state [batch, length, d_model], what the head reads: gpt2_forward
 * after a check of the input: the program ends with the place when a token or a
 * position is out of range, or length is 0. */
Tensor *gpt2_hidden(Tape *t, const Gpt2 *model, const Gpt2Input *input);

/* The same, and in weights [n_layer] the attention weights [batch, n_head, length,
 * length] of each block. */
Tensor *gpt2_hidden_with_weights(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                                 Tensor **weights);

/* The output head: logits [batch, length, n_vocab] of hidden [batch, length,
 * d_model]. */
Tensor *gpt2_head(Tape *t, const Gpt2 *model, Tensor *hidden);

/* The same without the tape, for `rows` hidden states: every read of the head comes
 * through here. */
void gpt2_head_rows(float *logits, const Gpt2 *model, const float *hidden, size_t rows);

/* Logits [batch, length, n_vocab]: gpt2_hidden, then gpt2_head. */
Tensor *gpt2_logits(Tape *t, const Gpt2 *model, const Gpt2Input *input);

/* The mean loss over targets [batch, length] in nats, one element (IGNORE_TARGET
 * entries do not count, nor what padding predicts; a target that is padding is the
 * caller's to leave out: next_tokens). */
Tensor *gpt2_loss(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                  const int *targets);

/* targets [batch, length]: of each token the one behind it in its row; IGNORE_TARGET
 * where that is padding, in the last column, and for padding. mask may be NULL. */
void next_tokens(int *targets, const int *tokens, const int *mask, size_t batch,
                 size_t length);

/* Logits [batch, n_vocab] of one position a row, for generation; the others are never
 * computed. `hidden` is what gpt2_forward gave, `at` [batch] the position in each row.
 * For inference only: there is no way back. */
const float *gpt2_logits_at(Tape *t, const Gpt2 *model, Tensor *hidden,
                            const size_t *at);

#endif
