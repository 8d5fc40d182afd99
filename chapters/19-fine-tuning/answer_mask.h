/* Exercise 19/answer_mask: which tokens of an example are learned. Several threads may
 * call it at once. */
#ifndef CHAPTER_19_ANSWER_MASK_H
#define CHAPTER_19_ANSWER_MASK_H

#include <stddef.h>

#include "00-tensors/softmax_cross_entropy.h"

//> answer_mask
/* tokens [n] are an example: n_prompt tokens of a prompt, then the answer, whose last
 * token is its end. The model reads them in a row of `length` places: behind tokens[i]
 * it shall say targets[i], which is tokens[i + 1] where that is a token of the answer,
 * and IGNORE_TARGET elsewhere: within the prompt, and behind the end of the example.
 * What does not fit into the row is left out, and tokens[0] is never a target. Returns
 * how many targets count: none where n <= n_prompt. */
size_t answer_mask(int *targets, const int *tokens, size_t n, size_t n_prompt,
                   size_t length);
//< answer_mask

#endif
