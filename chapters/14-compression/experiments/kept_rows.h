/* A cache of decoded rows in front of a coded matrix: rows that were read are kept as
 * floats.
 *
 * No program uses it; experiments/row_cache.c measures why. */
#ifndef CHAPTER_14_KEPT_ROWS_H
#define CHAPTER_14_KEPT_ROWS_H

#include "weights/weight.h"

/* The rule for a new row in a full cache: the row whose last reading is longest ago
 * goes ("least recently used"), or the new one is not kept, as in RBE's source. */
typedef enum { KEEP_LATEST, KEEP_FIRST } KeepWhich;

typedef struct {
    const Weight *w;
    KeepWhich which;
    size_t capacity, held; /* rows */
    size_t reads, hits;
    float *rows;           /* [capacity, cols], by slot */
    size_t *slot;          /* [w->rows] where a row is held; capacity: nowhere */
    size_t *row;           /* [capacity] which row a slot holds */
    size_t *older, *newer; /* [capacity + 1] a ring of slots in the order of reading;
                              its ends meet in slot `capacity` */
} KeptRows;

/* For w, which stays where it is and is not transposed; capacity from 1 to w->rows. */
KeptRows kept_rows_create(const Weight *w, size_t capacity, KeepWhich which);
void kept_rows_free(KeptRows *k);

/* weight_row through the cache: row r as floats, out [cols]. */
void kept_rows_read(float *out, KeptRows *k, size_t r);

/* Bytes that it takes beside the coded matrix: the rows, and what finds them. */
size_t kept_rows_bytes(const KeptRows *k);

#endif
