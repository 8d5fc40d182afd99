/* Exercise 19/answer_mask. The contract is in chapters/19-fine-tuning/answer_mask.h. */
#include "19-fine-tuning/answer_mask.h"

#include "base/error.h"

size_t answer_mask(int *targets, const int *tokens, size_t n, size_t n_prompt,
                   size_t length) {
    EXERCISE_TODO("19/answer_mask");
}
