/* All targets are ignored; then those of the answer are written, last one first. */
#include "19-fine-tuning/answer_mask.h"

size_t answer_mask(int *targets, const int *tokens, size_t n, size_t n_prompt,
                   size_t length) {
    for (size_t i = 0; i < length; i++) targets[i] = IGNORE_TARGET;
    size_t end = n < length + 1 ? n : length + 1, counted = 0;
    while (end-- > 1 && end >= n_prompt) {
        targets[end - 1] = tokens[end];
        counted++;
    }
    return counted;
}
