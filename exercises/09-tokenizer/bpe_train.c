/* Exercise 09/bpe_train. The contract is in chapters/09-tokenizer/bpe_train.h. */
#include "09-tokenizer/bpe_train.h"

#include "base/error.h"

void bpe_count_word(PairCounts *pairs, const BpeWord *word, size_t index) {
    EXERCISE_TODO("09/bpe_train");
}

bool bpe_best_pair(PairCounts *pairs, int64_t min_count, Pair *best) {
    EXERCISE_TODO("09/bpe_train");
}

void bpe_merge_word(PairCounts *pairs, BpeWord *word, size_t index, Pair pair,
                    int merged) {
    EXERCISE_TODO("09/bpe_train");
}
