/* A priority queue: see heap.h. */
#include "09-tokenizer/heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

static bool less(HeapItem a, HeapItem b) {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

void heap_push(Heap *h, uint64_t key, uint64_t value) {
    if (h->n == h->capacity) {
        h->capacity = h->capacity ? 2 * h->capacity : 64;
        h->items = checked_realloc(h->items, h->capacity, sizeof *h->items);
    }
    HeapItem item = {key, value};
    size_t i = h->n++;
    while (i > 0 && less(item, h->items[(i - 1) / 2])) {
        h->items[i] = h->items[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->items[i] = item;
}

HeapItem heap_pop(Heap *h) {
    HeapItem first = h->items[0], moved = h->items[--h->n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->n) break;
        if (child + 1 < h->n && less(h->items[child + 1], h->items[child])) child++;
        if (!less(h->items[child], moved)) break;
        h->items[i] = h->items[child];
        i = child;
    }
    if (h->n) h->items[i] = moved;
    return first;
}

void heap_free(Heap *h) {
    free(h->items);
    *h = (Heap){0};
}
