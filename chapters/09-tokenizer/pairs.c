/* Counts of pairs: see pairs.h. */
#include "09-tokenizer/pairs.h"

#include <stdlib.h>

#include "base/memory.h"

/* The slot where the pair is, or where it would go. */
static size_t find_slot(const PairCounts *p, Pair pair) {
    uint64_t key = pair_item(pair, 0).value;
    size_t slot = (size_t)((key ^ key >> 29) * 0x9e3779b97f4a7c15u >> 20) % p->n_slots;
    for (; p->slots[slot]; slot = (slot + 1) % p->n_slots) {
        Pair there = p->items[p->slots[slot] - 1].pair;
        if (there.left == pair.left && there.right == pair.right) break;
    }
    return slot;
}

static void grow(PairCounts *p) {
    p->capacity = p->capacity ? 2 * p->capacity : 256;
    p->items = checked_realloc(p->items, p->capacity, sizeof *p->items);
    p->n_slots = 2 * p->capacity;
    free(p->slots);
    p->slots = checked_alloc(p->n_slots, sizeof *p->slots);
    for (size_t i = 0; i < p->n; i++) p->slots[find_slot(p, p->items[i].pair)] = i + 1;
}

static PairCount *find_or_add(PairCounts *p, Pair pair) {
    if (p->n == p->capacity) grow(p);
    size_t slot = find_slot(p, pair);
    if (!p->slots[slot]) {
        p->items[p->n] = (PairCount){.pair = pair};
        p->slots[slot] = ++p->n;
    }
    return &p->items[p->slots[slot] - 1];
}

static void queue(PairCounts *p, const PairCount *c) {
    HeapItem item = pair_item(c->pair, c->count);
    heap_push(&p->queue, item.key, item.value);
}

static void queue_later(PairCounts *p, PairCount *c) {
    if (c->grown) return;
    c->grown = true;
    if (p->n_grown == p->grown_capacity) {
        p->grown_capacity = p->grown_capacity ? 2 * p->grown_capacity : 256;
        p->grown = checked_realloc(p->grown, p->grown_capacity, sizeof *p->grown);
    }
    p->grown[p->n_grown++] = (size_t)(c - p->items);
}

void pair_counts_queue_grown(PairCounts *p) {
    for (size_t i = 0; i < p->n_grown; i++) {
        PairCount *c = &p->items[p->grown[i]];
        c->grown = false;
        queue(p, c);
    }
    p->n_grown = 0;
}

void pair_counts_add(PairCounts *p, int left, int right, int64_t change, size_t word) {
    PairCount *c = find_or_add(p, (Pair){left, right});
    c->count += change;
    if (change <= 0) return;
    if (p->queues_later)
        queue_later(p, c);
    else
        queue(p, c);
    if (c->n_words && c->words[c->n_words - 1] == word) return;
    if (c->n_words == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 4;
        c->words = checked_realloc(c->words, c->capacity, sizeof *c->words);
    }
    c->words[c->n_words++] = word;
}

int64_t pair_counts_get(const PairCounts *p, Pair pair) {
    if (!p->n) return 0;
    size_t slot = find_slot(p, pair);
    return p->slots[slot] ? p->items[p->slots[slot] - 1].count : 0;
}

size_t pair_counts_take_words(PairCounts *p, Pair pair, size_t **words) {
    PairCount *c = find_or_add(p, pair);
    size_t n = c->n_words;
    *words = c->words;
    c->words = NULL;
    c->n_words = c->capacity = 0;
    return n;
}

void pair_counts_free(PairCounts *p) {
    for (size_t i = 0; i < p->n; i++) free(p->items[i].words);
    free(p->items);
    free(p->slots);
    free(p->grown);
    heap_free(&p->queue);
    *p = (PairCounts){0};
}
