/* Exercise 09/bpe_train_naive. The contract is in
 * chapters/09-tokenizer/bpe_train_naive.h. */
#include "09-tokenizer/bpe_train_naive.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

size_t bpe_train_naive(Pair *merges, size_t n_merges, BpeWord *words, size_t n_words,
                       int64_t *counts) {
    EXERCISE_TODO("09/bpe_train_naive");
}
