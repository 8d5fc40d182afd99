/* Exercise 09/bpe_train: bpe_train_naive, but fast. Every step merges the most frequent
 * pair of neighbours, everywhere. It touches only the words that hold the pair, and
 * corrects the counts of the pairs around it instead of counting all over again. */
#ifndef CHAPTER_09_BPE_TRAIN_H
#define CHAPTER_09_BPE_TRAIN_H

#include <stdbool.h>

#include "09-tokenizer/bpe_word.h"
#include "09-tokenizer/merges.h"
#include "09-tokenizer/pairs.h"
#include "09-tokenizer/string_table.h"

/* Exercise. Counts every pair of neighbours in the word, `times` each; overlapping
 * pairs too: a a a holds (a, a) twice. `index` is the number of the word. */
void bpe_count_word(PairCounts *pairs, const BpeWord *word, size_t index);

/* Exercise. The most frequent pair, in the order of the queue (pairs.h) among equal
 * counts; false when none occurs min_count times. The queue may hold counts that have
 * fallen since: those are corrected here. */
bool bpe_best_pair(PairCounts *pairs, int64_t min_count, Pair *best);

/* Exercise. Replaces the pair by `merged` wherever it stands in the word, from left to
 * right (of a a a the first two), shortens word->n, and corrects the counts of all
 * pairs that this makes or breaks. */
void bpe_merge_word(PairCounts *pairs, BpeWord *word, size_t index, Pair pair,
                    int merged);

/* Learns merges until there are n_tokens tokens or no pair is left that occurs
 * min_count times. `tokens` holds the bytes of the tokens so far and receives the new
 * ones; `merges` receives the merges. The words are left merged. Two different pairs
 * may spell the same token, which then has two merges and one number. */
void bpe_train(MergeTable *merges, StringTable *tokens, BpeWord *words, size_t n_words,
               size_t n_tokens, int64_t min_count);

#endif
