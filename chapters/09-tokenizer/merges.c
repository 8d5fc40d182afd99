/* The merges of a byte-pair encoding: see merges.h. */
#include "09-tokenizer/merges.h"

#include <stdlib.h>

#include "base/memory.h"

/* The slot where the pair is, or where it would go. */
static size_t find_slot(const MergeTable *t, int left, int right) {
    uint64_t pair = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    size_t slot =
        (size_t)((pair ^ pair >> 29) * 0x9e3779b97f4a7c15u >> 20) & (t->n_slots - 1);
    for (; t->slots[slot]; slot = (slot + 1) & (t->n_slots - 1)) {
        const Merge *m = &t->items[t->slots[slot] - 1];
        if (m->left == left && m->right == right) break;
    }
    return slot;
}

static void grow(MergeTable *t) {
    t->capacity = t->capacity ? 2 * t->capacity : 64;
    t->items = checked_realloc(t->items, t->capacity, sizeof *t->items);
    t->n_slots = 4 * t->capacity;
    free(t->slots);
    t->slots = checked_alloc(t->n_slots, sizeof *t->slots);
    for (size_t i = 0; i < t->n; i++) {
        t->slots[find_slot(t, t->items[i].left, t->items[i].right)] = (uint32_t)i + 1;
    }
}

void merge_table_add(MergeTable *t, int left, int right, int merged) {
    if (t->n == t->capacity) grow(t);
    size_t slot = find_slot(t, left, right);
    if (t->slots[slot]) return;
    t->items[t->n] =
        (Merge){.left = left, .right = right, .merged = merged, .rank = (uint32_t)t->n};
    t->slots[slot] = (uint32_t)++t->n;
}

const Merge *merge_table_find(const MergeTable *t, int left, int right) {
    if (!t->n) return NULL;
    size_t slot = find_slot(t, left, right);
    return t->slots[slot] ? &t->items[t->slots[slot] - 1] : NULL;
}

void merge_table_free(MergeTable *t) {
    free(t->items);
    free(t->slots);
    *t = (MergeTable){0};
}
