/* Exercise 10/score_text: the loss of a text that is longer than the context. */
#ifndef CHAPTER_10_SCORE_TEXT_H
#define CHAPTER_10_SCORE_TEXT_H

#include "10-gpt2/eval.h"

//> score_text
/* The summed loss of tokens [n], n >= 2, read in windows of at most n_ctx tokens that
 * begin at 0, stride, 2 stride ... (1 <= stride <= n_ctx). Every token but the first is
 * scored exactly once, by the first window that can predict it: which loses nothing,
 * since an earlier window has more of the text in front of it. The last token is never
 * read, as no token follows it, and a window that has nothing to score is not run. */
Evaluation score_text(const Gpt2 *model, const int *tokens, size_t n, size_t stride);
//< score_text

#endif
