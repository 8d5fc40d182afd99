/* Exercise 18/split_digits. The contract is in chapters/18-llama/split_digits.h. */
#include "18-llama/split_digits.h"

#include "base/error.h"
#include "base/unicode.h"

bool split_digits(WordWalk *walk, const char **word, size_t *n) {
    EXERCISE_TODO("18/split_digits");
}
