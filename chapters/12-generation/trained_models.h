/* The models that this chapter's experiments write with, and measures of a text. */
#ifndef CHAPTER_12_TRAINED_MODELS_H
#define CHAPTER_12_TRAINED_MODELS_H

#include "12-generation/text_model.h"

/* The model of this seed after so many steps, which text_model_kept gives; it stays to
 * the end of the program. */
const TextModel *trained_for(uint64_t seed, size_t steps);

/* The model of most experiments: 600 steps, `quick` a tenth of them. */
const TextModel *trained_model(uint64_t seed, bool quick);

/* n_texts windows of `length` tokens of the corpus, each from the line feed before a
 * story on, from stories that no training saw: new memory [n_texts, length]. */
int *corpus_windows(const TextModel *m, size_t n_texts, size_t length);

/* ln softmax(logits)[token]. */
double log_probability(const float *logits, size_t n_vocab, int token);

/* ln p of each token of tokens [batch, length] given those before it in its row:
 * [batch, length] in new memory, 0 for the first. */
double *token_log_p(const Gpt2 *model, const int *tokens, size_t batch, size_t length);

/* Different n-grams of rows [n_texts, length] from column `first` on, divided by how
 * many there are. */
double distinct_ngrams(const int *tokens, size_t n_texts, size_t length, size_t first,
                       size_t n);

#endif
