/* The model of this chapter's experiments: words and positions, layers of attention
 * alone, a head. */
#ifndef CHAPTER_07_WORD_MODEL_H
#define CHAPTER_07_WORD_MODEL_H

#include "00-tensors/linear.h"
#include "03-rmsnorm/norm.h"
#include "07-attention/attention.h"

enum { WORD_MODEL_LAYERS = 2 }; /* at most */

typedef struct {
    size_t n_words, length, n_layer, d_model, n_head;
    bool causal;
    NormKind norm; /* in front of each layer and of the head */
} WordModelConfig;

typedef struct {
    WordModelConfig config;
    Params params;
    Tensor *wte, *wpe;
    Norm norms[WORD_MODEL_LAYERS + 1];
    Attention attention[WORD_MODEL_LAYERS];
    Linear head;
} WordModel;

/* The norms are pointed to: the model must stay where it is once it is used. */
WordModel word_model_create(const WordModelConfig *config, Random *init);
void word_model_free(WordModel *m);

/* tokens [batch, length], length at most config.length -> logits [batch, length,
 * n_words]. weights [n_layer] becomes each layer's attention weights [batch, n_head,
 * length, length]; or NULL. */
Tensor *word_model_logits(Tape *t, const WordModel *m, const int *tokens, size_t batch,
                          size_t length, Tensor **weights);

#endif
