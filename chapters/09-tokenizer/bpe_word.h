/* What merges are learned from: the distinct words of a text, each a row of tokens. */
#ifndef CHAPTER_09_BPE_WORD_H
#define CHAPTER_09_BPE_WORD_H

#include <stddef.h>
#include <stdint.h>

//> word
/* Two neighbouring tokens. */
typedef struct {
    int left, right;
} Pair;

/* A distinct word (pre-token) of the text: its tokens, single bytes at first, and how
 * often it occurs. */
typedef struct {
    int *tokens;
    size_t n;
    int64_t times;
} BpeWord;
//< word

#endif
