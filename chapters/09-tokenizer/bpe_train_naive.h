/* Exercise 09/bpe_train_naive: learning merges by counting (Sennrich et al. 2016,
 * algorithm 1). Count all pairs, merge the most frequent one, begin again. */
#ifndef CHAPTER_09_BPE_TRAIN_NAIVE_H
#define CHAPTER_09_BPE_TRAIN_NAIVE_H

#include "09-tokenizer/bpe_word.h"

/* Learns up to n_merges merges from words [n_words] and returns how many; fewer where
 * no pair is left that occurs twice.
 *
 * Each step counts the pairs of neighbours in all words anew, each as often as its word
 * occurs, overlapping ones too: a a a holds (a, a) twice. The pair with the largest
 * count goes to merges[m], m = 0, 1, ...; of equal counts the one with the smaller left
 * token, then the one with the smaller right token. It becomes token 256 + m wherever
 * it stands, from left to right: of a a a the first two. So words are left merged and
 * shorter.
 *
 * The tokens are bytes at first, 0 to 255. counts [n * n] with n = 256 + n_merges is
 * for your use and may hold anything at first. Several threads may call it at once. */
//> signature
size_t bpe_train_naive(Pair *merges, size_t n_merges, BpeWord *words, size_t n_words,
                       int64_t *counts);
//< signature

#endif
