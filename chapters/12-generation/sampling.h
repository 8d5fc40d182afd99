/* From logits to the next token, in the order and with the meaning that Hugging Face's
 * generate() has: repetition penalty, temperature, top-k, top-p, softmax, draw. */
#ifndef CHAPTER_12_SAMPLING_H
#define CHAPTER_12_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>

#include "12-generation/sort_by_probability.h"

typedef struct {
    bool greedy; /* take the likeliest token; of the other settings only the penalty
                    counts */
    double temperature;        /* > 0; 1: off */
    size_t top_k;              /* 0: off */
    double top_p;              /* in (0, 1]; 1: off */
    double repetition_penalty; /* > 0; 1: off */
    const int *excluded;       /* n_excluded tokens that cannot be chosen now */
    size_t n_excluded;
} SamplingSettings;

/* Temperature 1, everything off. */
SamplingSettings sampling_settings(void);

/* Ends the program with the setting's name and range if one is out of range. */
void sampling_check(const SamplingSettings *settings);

/* Memory for the choice among n_vocab tokens, for any number of choices. */
typedef struct {
    size_t n_vocab;
    double *probabilities;       /* [n_vocab] of the last choice */
    double *for_top_k;           /* [n_vocab] */
    TokenProbability *for_top_p; /* [n_vocab] */
} SamplingMemory;

SamplingMemory sampling_memory(size_t n_vocab);
void sampling_memory_free(SamplingMemory *memory);

/* Probabilities [n_vocab] of the next token, which lie in the memory: logits [n_vocab]
 * are put through the filters and the softmax, all in double. context [n_context]: the
 * tokens so far, for the penalty. */
const double *sampling_probabilities(SamplingMemory *memory, const float *logits,
                                     const int *context, size_t n_context,
                                     const SamplingSettings *settings);

/* The first token whose cumulative probability exceeds u, 0 <= u < 1; never one of
 * probability 0. */
int sampling_draw(const double *probabilities, size_t n_vocab, double u);

/* The first of the largest; NaN never wins. */
int sampling_argmax(const double *values, size_t n);

/* The next token: the three steps above. */
int sampling_next(SamplingMemory *memory, const float *logits, const int *context,
                  size_t n_context, const SamplingSettings *settings, double u);

#endif
