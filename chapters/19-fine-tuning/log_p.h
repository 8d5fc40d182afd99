/* ln p of answers, on the tape: what is differentiated where an answer is preferred, or
 * rewarded, as a whole. An answer is one token here. */
#ifndef CHAPTER_19_LOG_P_H
#define CHAPTER_19_LOG_P_H

#include "tensor/tape.h"

/* [B, n] = ln softmax(logits[b, at[b]]) of n tokens for each row b of logits [B, T, V].
 * `at` [B] and `tokens` [B, n] must live as long as the tape's step. */
Tensor *log_p_at(Tape *t, Tensor *logits, const size_t *at, const int *tokens,
                 size_t n);

#endif
