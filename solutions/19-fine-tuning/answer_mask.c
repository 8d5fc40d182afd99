/* Which tokens are learned. Before you read on: make hint-19 EX=answer_mask */
#include "19-fine-tuning/answer_mask.h"

size_t answer_mask(int *targets, const int *tokens, size_t n, size_t n_prompt,
                   size_t length) {
    size_t counted = 0;
    for (size_t i = 0; i < length; i++) {
        size_t next = i + 1;
        int counts = next >= n_prompt && next < n;
        targets[i] = counts ? tokens[next] : IGNORE_TARGET;
        counted += (size_t)counts;
    }
    return counted;
}
