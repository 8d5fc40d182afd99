/* A cache of decoded rows: see kept_rows.h. */
#include "14-compression/experiments/kept_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

KeptRows kept_rows_create(const Weight *w, size_t capacity, KeepWhich which) {
    KeptRows k = {.w = w, .which = which, .capacity = capacity};
    k.rows = checked_alloc(size_mul(capacity, w->cols), sizeof *k.rows);
    k.slot = checked_alloc(w->rows, sizeof *k.slot);
    k.row = checked_alloc(capacity, sizeof *k.row);
    k.older = checked_alloc(capacity + 1, sizeof *k.older);
    k.newer = checked_alloc(capacity + 1, sizeof *k.newer);
    for (size_t r = 0; r < w->rows; r++) k.slot[r] = capacity;
    k.older[capacity] = k.newer[capacity] = capacity;
    return k;
}

void kept_rows_free(KeptRows *k) {
    free(k->rows);
    free(k->slot);
    free(k->row);
    free(k->older);
    free(k->newer);
    *k = (KeptRows){0};
}

size_t kept_rows_bytes(const KeptRows *k) {
    return k->capacity * (k->w->cols * sizeof *k->rows + 3 * sizeof *k->row) +
           k->w->rows * sizeof *k->slot;
}

static void take_out(KeptRows *k, size_t slot) {
    k->newer[k->older[slot]] = k->newer[slot];
    k->older[k->newer[slot]] = k->older[slot];
}

static void put_newest(KeptRows *k, size_t slot) {
    size_t end = k->capacity;
    k->newer[slot] = end;
    k->older[slot] = k->older[end];
    k->newer[k->older[end]] = slot;
    k->older[end] = slot;
}

/* A slot for a new row, no longer in the ring; k->capacity if there is none to have. */
static size_t free_slot(KeptRows *k) {
    if (k->held < k->capacity) return k->held++;
    if (k->which == KEEP_FIRST) return k->capacity;
    size_t oldest = k->newer[k->capacity];
    k->slot[k->row[oldest]] = k->capacity;
    take_out(k, oldest);
    return oldest;
}

void kept_rows_read(float *out, KeptRows *k, size_t r) {
    size_t slot = k->slot[r], cols = k->w->cols;
    k->reads++;
    if (slot < k->capacity) {
        k->hits++;
        memcpy(out, k->rows + slot * cols, cols * sizeof *out);
        take_out(k, slot);
        put_newest(k, slot);
        return;
    }
    weight_row(out, k->w, r);
    slot = free_slot(k);
    if (slot == k->capacity) return;
    memcpy(k->rows + slot * cols, out, cols * sizeof *out);
    k->slot[r] = slot;
    k->row[slot] = r;
    put_newest(k, slot);
}
