/* The built-in language, and many small training runs on it side by side, for the
 * experiments. */
#ifndef CHAPTER_11_LANGUAGE_RUNS_H
#define CHAPTER_11_LANGUAGE_RUNS_H

#include "11-training/train.h"

enum { RUN_SEEDS = 3, WINDOW = 64 };

/* In a vocabulary of 512 tokens, as in `make tour`. */
typedef struct {
    Tokenizer *tokenizer;
    Dataset data;
} Language;

Language language_create(uint64_t seed);
void language_free(Language *l);

/* Windows of WINDOW tokens, which hold a whole story; what else is not given is
 * train_settings'. The rate ends at a tenth, the warm-up is a tenth of the steps. */
TrainSettings language_settings(const Language *l, size_t n_layer, size_t d_model,
                                size_t batch, size_t steps, double rate, uint64_t seed);

/* All steps that are left. */
void train_to_end(Trainer *t);

/* Trains a new model to the end and returns the loss of the whole validation text. */
double language_train(const Language *l, const TrainSettings *settings);

#endif
