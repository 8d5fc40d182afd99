/* The prompt, the answer and the padding, one loop each. */
#include "19-fine-tuning/answer_mask.h"

static size_t smaller_of(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t answer_mask(int *targets, const int *tokens, size_t n, size_t n_prompt,
                   size_t length) {
    size_t first = n_prompt ? n_prompt - 1 : 0, last = n ? n - 1 : 0, i = 0;
    first = smaller_of(first, length);
    last = smaller_of(last, length);
    for (; i < first; i++) targets[i] = IGNORE_TARGET;
    for (; i < last; i++) targets[i] = tokens[i + 1];
    for (; i < length; i++) targets[i] = IGNORE_TARGET;
    return last > first ? last - first : 0;
}
