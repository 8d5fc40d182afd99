/* Training data of a language model: tokens, split into a training and a validation
 * part, served in batches. */
#ifndef CHAPTER_11_DATASET_H
#define CHAPTER_11_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "09-tokenizer/tokenizer.h"
#include "math/random.h"

typedef struct {
    int *tokens;
    size_t n;
    /* Where a window may begin: the first token of each story, or NULL: anywhere. 64
     * bits, so that the list takes the same memory, which a training prints, on every
     * machine. */
    uint64_t *starts;
    size_t n_starts;
} TokenText;

typedef struct {
    TokenText train, validation;
    size_t n_vocab;
    char vocabulary[CHECKSUM_TEXT]; /* tokenizer_checksum; "" is not known */
    double floor; /* the loss of the grammar itself on the validation text, in nats per
                     token; 0: not known */
} Dataset;

/* A vocabulary of n_vocab tokens learned from the built-in corpus,
 * or from a text file where `path` is not NULL. */
Tokenizer *dataset_tokenizer(const char *path, uint64_t seed, size_t n_vocab);

/* The built-in corpus, in the tokenizer's tokens. Its windows begin with a story, so
 * that nothing a story refers to lies outside. The floor is exact: -ln p of the
 * validation text, from the grammar, divided by its tokens. */
Dataset dataset_corpus(const Tokenizer *tokenizer, uint64_t seed, size_t train_bytes,
                       size_t validation_bytes);

/* A text file; the last tenth is the validation part.
 * The file must have more than `least` tokens in each part. */
Dataset dataset_text(const Tokenizer *tokenizer, const char *path, size_t least);

/* A window of `length` tokens at a random place of the training part, and in targets
 * the inputs' next tokens. */
void dataset_train_window(const Dataset *d, Random *random, size_t length, int *inputs,
                          int *targets);

/* Batch number `index` of training: `batch` windows of `length` tokens at random
 * places, a function of (seed, index) alone. inputs and targets are [batch, length];
 * targets are the inputs' next tokens. */
void dataset_train_batch(const Dataset *d, uint64_t seed, uint64_t index, size_t batch,
                         size_t length, int *inputs, int *targets);

/* The next window of the validation text: `length` inputs and targets. *cursor starts
 * at 0 and is moved on. Returns how many targets count, 0 at the end of the text. On
 * the corpus a window holds whole stories and the rest of it does not count
 * (IGNORE_TARGET), so that the mean over all windows can be compared with the floor. */
size_t dataset_next_window(const Dataset *d, size_t *cursor, size_t length, int *inputs,
                           int *targets);

void dataset_free(Dataset *d);

#endif
