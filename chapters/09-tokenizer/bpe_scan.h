/* Byte-pair encoding without any cleverness: look through the whole word for the best
 * pair, merge it, look again. */
#ifndef CHAPTER_09_BPE_SCAN_H
#define CHAPTER_09_BPE_SCAN_H

#include "09-tokenizer/merges.h"

/* The contract of bpe_encode (exercise), in O(n^2) steps and without room to work
 * in. */
size_t bpe_encode_by_scanning(int *tokens, size_t n, const MergeTable *merges);

#endif
