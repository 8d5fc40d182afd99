/* Open problem 09/capitals (*): capitals that cost no more tokens than small letters */
#ifndef CHAPTER_09_CAPITALS_H
#define CHAPTER_09_CAPITALS_H

#include <stddef.h>

/* What the tokenizer, trained on stories in small letters, is given in the place of n
 * bytes: written to out [2 n + 2], its length returned. */
size_t fold_capitals(char *out, const char *bytes, size_t n);

/* The way back: from what fold_capitals made of any n bytes, those n bytes, and n. */
size_t unfold_capitals(char *out, const char *folded, size_t n_folded);

#endif
