/* A priority queue: the item with the smallest key comes out first,
 * of equal keys the one with the smallest value.
 *
 * A binary heap: item i is not larger than items 2i + 1 and 2i + 2, so pushing and
 * popping take a number of steps that grows with the logarithm of the size. */
#ifndef CHAPTER_09_HEAP_H
#define CHAPTER_09_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key, value;
} HeapItem;

/* {0} is an empty one. Set n to 0 to empty it and keep its memory. */
typedef struct {
    HeapItem *items;
    size_t n, capacity;
} Heap;

void heap_push(Heap *h, uint64_t key, uint64_t value);

/* Takes the smallest out; there must be one (n > 0). */
HeapItem heap_pop(Heap *h);

void heap_free(Heap *h);

#endif
