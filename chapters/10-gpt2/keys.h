/* The FFNs of a trained model read as memories (Geva et al. 2021): where in a text each
 * key fires, and which tokens its value speaks for. */
#ifndef CHAPTER_10_KEYS_H
#define CHAPTER_10_KEYS_H

#include "04-ffn-swiglu/top_activations.h"
#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"

enum { VALUE_TOKENS = 10 };

/* A hidden unit of an FFN: column u of c_fc is its key, row u of c_proj its value. */
typedef struct {
    TopActivations fires;     /* tokens[place] is the last one that the key saw */
    int tokens[VALUE_TOKENS]; /* that the value raises most, the first one most */
} KeyUnit;

/* All units [n_layer, d_ff] over the text tokens [n], in windows of n_ctx; n >= 2. A
 * value is read through the gain of the last norm and the output head. The model must
 * have been loaded with gradients (PARAMS_TRAIN): only then does the tape say what the
 * FFNs' second matrices read. Free it. */
KeyUnit *keys_read(const Gpt2 *model, const int *tokens, size_t n);

/* The share of units of one layer [d_ff] that have, among the first k tokens of their
 * value, the one that follows where their key fires most; and the same for a value
 * beside the places of all other units' keys. */
typedef struct {
    double own, others;
} KeyAgreement;
KeyAgreement keys_agreement(const KeyUnit *units, size_t d_ff, const int *tokens,
                            size_t n_vocab, size_t k);

/* Prints the agreement of each layer, and units of the last one that agree, the
 * strongest first. */
void keys_print(const KeyUnit *units, const Gpt2 *model, const Tokenizer *tokenizer,
                const int *tokens);

#endif
