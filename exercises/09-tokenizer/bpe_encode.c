/* Exercise 09/bpe_encode. The contract is in chapters/09-tokenizer/bpe_encode.h. */
#include "09-tokenizer/bpe_encode.h"

#include "base/error.h"

size_t bpe_encode(int *tokens, size_t n, const MergeTable *merges,
                  BpeScratch *scratch) {
    EXERCISE_TODO("09/bpe_encode");
}
