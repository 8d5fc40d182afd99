/* Exercise 09/bpe_encode: from bytes to tokens, in time that grows hardly faster than
 * the text.
 *
 * bpe_encode_by_scanning (bpe_scan.c, given) does the same and is short, but reads the
 * whole word again for every merge. That is fine for English words of five letters and
 * hopeless for a word of a million, which any text file may hold: DNA, base64, a line
 * of "=====". */
#ifndef CHAPTER_09_BPE_ENCODE_H
#define CHAPTER_09_BPE_ENCODE_H

#include "09-tokenizer/heap.h"
#include "09-tokenizer/merges.h"

//> signature
/* Room to work in. The arrays hold as many elements as the word has tokens: the caller
 * has reserved them (bpe_scratch_reserve). The queue is empty at first and takes care
 * of its own memory. Their contents afterwards do not matter. */
typedef struct {
    size_t *next, *previous;
    size_t capacity;
    Heap queue;
} BpeScratch;

/* Merges the tokens [n] of one word in place and returns how many are left.
 *
 * As long as some neighbours have a merge: of all these pairs take the one of the
 * lowest rank, of several such pairs the leftmost, and put the merged token in its
 * place. Time: O(n log n). */
size_t bpe_encode(int *tokens, size_t n, const MergeTable *merges, BpeScratch *scratch);
//< signature

/* Room for words of n tokens; {0} is an empty scratch. */
void bpe_scratch_reserve(BpeScratch *scratch, size_t n);
void bpe_scratch_free(BpeScratch *scratch);

#endif
