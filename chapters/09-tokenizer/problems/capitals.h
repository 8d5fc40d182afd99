/* Open problem 09/capitals (*): capitals that cost no more tokens than small letters */
#ifndef CHAPTER_09_CAPITALS_H
#define CHAPTER_09_CAPITALS_H

#include <stddef.h>

/* Writes the text that the tokenizer, trained on stories in small letters, gets in the
 * place of n bytes to out [2 n + 2], and returns its length. */
size_t fold_capitals(char *out, const char *bytes, size_t n);

/* The inverse: gives back the n bytes that fold_capitals folded, and n. */
size_t unfold_capitals(char *out, const char *folded, size_t n_folded);

#endif
