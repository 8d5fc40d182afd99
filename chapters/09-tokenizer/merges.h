/* The merges of a byte-pair encoding: which two tokens become one, and in which order
 * of preference. */
#ifndef CHAPTER_09_MERGES_H
#define CHAPTER_09_MERGES_H

#include <stddef.h>
#include <stdint.h>

/* The neighbours `left` `right` become `merged`. Rank 0 was learned first and goes
 * first. */
typedef struct {
    int left, right, merged;
    uint32_t rank;
} Merge;

/* {0} is an empty one. */
typedef struct {
    Merge *items; /* by rank */
    size_t n, capacity;
    /* hash table with open addressing: rank + 1, or 0 for a free slot */
    uint32_t *slots;
    size_t n_slots; /* a power of two */
} MergeTable;

/* Appends a merge, whose rank is the number of those before it. A pair that is there
 * already keeps its rank, and nothing is added. */
void merge_table_add(MergeTable *t, int left, int right, int merged);

/* The merge of that pair, or NULL where the two stay apart. */
const Merge *merge_table_find(const MergeTable *t, int left, int right);

void merge_table_free(MergeTable *t);

#endif
