/* Distinct byte strings with numbers: see string_table.h. */
#include "09-tokenizer/string_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* FNV-1a, and a last multiplication that brings the high bits down. */
static size_t hash(const char *bytes, size_t n) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return (size_t)((h ^ (h >> 29)) * 0x9e3779b97f4a7c15u >> 7);
}

const char *string_table_get(const StringTable *t, size_t i, size_t *n) {
    *n = t->start[i + 1] - t->start[i];
    return t->bytes + t->start[i];
}

/* The slot where the string is, or where it would go. There is always a free one. */
static size_t find_slot(const StringTable *t, const char *bytes, size_t n) {
    size_t slot = hash(bytes, n) % t->n_slots;
    for (; t->slots[slot]; slot = (slot + 1) % t->n_slots) {
        size_t length;
        const char *there = string_table_get(t, t->slots[slot] - 1, &length);
        if (length == n && memcmp(there, bytes, n) == 0) break;
    }
    return slot;
}

/* Doubles the number of slots and enters every string again. */
static void grow_slots(StringTable *t) {
    t->n_slots = t->n_slots ? 2 * t->n_slots : 64;
    free(t->slots);
    t->slots = checked_alloc(t->n_slots, sizeof *t->slots);
    for (size_t i = 0; i < t->n; i++) {
        size_t n;
        const char *bytes = string_table_get(t, i, &n);
        t->slots[find_slot(t, bytes, n)] = i + 1;
    }
}

/* At least `needed` elements in an array that grows by doubling. */
static void *reserve(void *array, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return array;
    *capacity = needed < 64 ? 64 : size_mul(needed, 2);
    return checked_realloc(array, *capacity, size);
}

size_t string_table_add(StringTable *t, const char *bytes, size_t n) {
    if (2 * (t->n + 1) > t->n_slots) grow_slots(t);
    size_t slot = find_slot(t, bytes, n);
    if (t->slots[slot]) return t->slots[slot] - 1;

    size_t used = t->n ? t->start[t->n] : 0;
    t->start = reserve(t->start, &t->start_capacity, t->n + 2, sizeof *t->start);
    t->bytes = reserve(t->bytes, &t->bytes_capacity, used + n, 1);
    if (n) memcpy(t->bytes + used, bytes, n);
    t->start[t->n] = used;
    t->start[t->n + 1] = used + n;
    t->slots[slot] = ++t->n;
    return t->n - 1;
}

size_t string_table_find(const StringTable *t, const char *bytes, size_t n) {
    if (!t->n) return STRING_NOT_FOUND;
    size_t slot = find_slot(t, bytes, n);
    return t->slots[slot] ? t->slots[slot] - 1 : STRING_NOT_FOUND;
}

void string_table_free(StringTable *t) {
    free(t->bytes);
    free(t->start);
    free(t->slots);
    *t = (StringTable){0};
}
