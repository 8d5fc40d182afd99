/* The experiment without a causal mask: a language model that reads its answers, and
 * the sentences that it can write. */
#ifndef CHAPTER_07_LEAK_MODEL_H
#define CHAPTER_07_LEAK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of the vocabulary; words of a sentence; steps between two measurements. */
enum { LEAK_WORDS = 16, LEAK_LENGTH = 8, LEAK_EVERY = 10 };

/* Words drawn at random, where nothing can be predicted: no honest model gets below
 * ln(LEAK_WORDS). Or a language with a rule: three times of four the next word is the
 * next number, else any word. */
typedef enum { LEAK_RANDOM, LEAK_RULE } LeakLanguage;

/* The share of words that follow the rule in that language, and the entropy of its next
 * word in nats. */
double leak_rule_share(void);
double leak_rule_entropy(void);

/* Statistics of a model's writing, word by word behind a first one: the share of
 * sentences whose word 1, 2 ... follows the rule, and whose word stands in the sentence
 * already. And behind 1, 2 ... words of the language: the share of the model's next
 * words that follow the rule, and of the language's that stand there already. */
typedef struct {
    double follows[LEAK_LENGTH - 1], repeats[LEAK_LENGTH - 1];
    double given[LEAK_LENGTH], language_repeats[LEAK_LENGTH - 1];
} LeakWriting;

/* Trains one layer of attention to predict the next word. Writes the loss on new
 * sentences to loss[0], loss[1] ...: before the first step and after every LEAK_EVERY;
 * and the statistics of the trained model's writing to `writing`, unless it is NULL.
 * Returns how many losses it wrote: steps / LEAK_EVERY + 1. */
size_t leak_train(double *loss, LeakWriting *writing, LeakLanguage language,
                  bool causal, size_t steps, uint64_t seed);

#endif
