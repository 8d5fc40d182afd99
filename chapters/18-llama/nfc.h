/* Unicode's normalization form C: an e with an accent as one character, however it was
 * typed (Unicode Standard Annex 15). Qwen's tokenizers normalize before they cut;
 * Llama's and SmolLM2's do not. The tables are utf8proc's. */
#ifndef CHAPTER_18_NFC_H
#define CHAPTER_18_NFC_H

#include <stddef.h>

/* The text in form C, in new memory, *bytes long; NULL where all of it is below U+0300
 * and so in that form already. A byte that is not part of valid UTF-8 stays as it is,
 * and nothing is composed across it. */
char *nfc(const char *text, size_t n, size_t *bytes);

/* How many bytes the character has with which the text begins, if it is a number
 * (Unicode's category N: digits of any script, Roman numerals, fractions); 0 where it
 * is something else. n > 0. */
int number_length(const char *text, size_t n);

#endif
