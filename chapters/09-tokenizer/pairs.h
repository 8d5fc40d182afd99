/* How often each pair of neighbouring tokens occurs in a text, updated as the text is
 * merged. */
#ifndef CHAPTER_09_PAIRS_H
#define CHAPTER_09_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "09-tokenizer/bpe_word.h"
#include "09-tokenizer/heap.h"

/* One pair. `words` numbers the words in which it was ever counted: some may no longer
 * hold it, some may be listed more than once. */
typedef struct {
    Pair pair;
    int64_t count;
    size_t *words;
    size_t n_words, capacity;
    bool grown; /* is in the list of that name */
} PairCount;

/* {0} is an empty one. `queues_later`: pairs that grow are queued by
 * pair_counts_queue_grown, once each, however often they have grown. */
typedef struct {
    PairCount *items;
    size_t n, capacity;
    /* hash table with open addressing: index + 1, or 0 for a free slot */
    size_t *slots;
    size_t n_slots;
    Heap queue; /* see pair_item */
    bool queues_later;
    size_t *grown; /* indices of items */
    size_t n_grown, grown_capacity;
} PairCounts;

/* Adds `change` (which may be negative) to the count of left right in word number
 * `word`. When a count grows, the pair is queued with its new count; when it falls
 * nothing is queued, so that the queue may hold counts that are too large, but never
 * lacks a pair with a count that is at least its own. */
void pair_counts_add(PairCounts *p, int left, int right, int64_t change, size_t word);

/* Queues, with `queues_later`, the pairs that have grown since the last time. */
void pair_counts_queue_grown(PairCounts *p);

/* The count of that pair; 0 for one that was never counted. */
int64_t pair_counts_get(const PairCounts *p, Pair pair);

/* Moves the list of the pair's words to *words and returns its length. The caller frees
 * it. */
size_t pair_counts_take_words(PairCounts *p, Pair pair, size_t **words);

void pair_counts_free(PairCounts *p);

/* A pair with a count, as it stands in the queue: the largest count comes out first, of
 * equal counts the smaller left token, then the smaller right token. */
static inline HeapItem pair_item(Pair pair, int64_t count) {
    return (HeapItem){~(uint64_t)count,
                      (uint64_t)(uint32_t)pair.left << 32 | (uint32_t)pair.right};
}
static inline Pair pair_of_item(HeapItem item) {
    return (Pair){(int)(item.value >> 32), (int)(item.value & 0xffffffff)};
}
static inline int64_t count_of_item(HeapItem item) {
    return (int64_t)~item.key;
}

#endif
