/* Tests of the cache of decoded rows that experiments/row_cache.c measures. */
#include "14-compression/experiments/kept_rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/codec.h"
#include "check/check.h"

/* Reads the rows one after the other; each must be the coded matrix's, and the hits
 * must be where `expected` has a letter h. */
static void check_readings(const char *codec, KeepWhich which, size_t capacity,
                           const int *rows, const char *expected) {
    enum { ROWS = 6, COLS = 64 };
    double value;
    const Codec *c = codec_find(codec, &value);
    Weight w = codec_encode(c, value,
                            &(Matrix){.data = normal_floats(ROWS * COLS, 1, 1),
                                      .rows = ROWS,
                                      .cols = COLS});
    KeptRows k = kept_rows_create(&w, capacity, which);
    for (size_t i = 0, hits = 0; expected[i]; i++) {
        float *got = nan_floats(COLS), *right = nan_floats(COLS);
        kept_rows_read(got, &k, (size_t)rows[i]);
        weight_row(right, &w, (size_t)rows[i]);
        CHECK(memcmp(got, right, COLS * sizeof *got) == 0,
              "reading %zu, row %d, has other numbers", i, rows[i]);
        hits += expected[i] == 'h';
        CHECK(k.hits == hits && k.reads == i + 1,
              "after reading %zu, row %d: %zu hits in %zu, expected %zu", i, rows[i],
              k.hits, k.reads, hits);
    }
    kept_rows_free(&k);
    free((void *)(uintptr_t)w.data);
}

/* Two are held. Row 0 is read again, so row 1 goes for row 2, and then row 0 for row
 * 1. */
Test(kept_rows, whose_last_reading_is_longest_ago_goes, .timeout = 10) {
    check_readings("q8_0", KEEP_LATEST, 2, (int[]){0, 1, 0, 2, 0, 1, 2, 2, 1},
                   "..h.h..hh");
    check_readings("rbe:40", KEEP_LATEST, 2, (int[]){0, 1, 0, 2, 0, 1, 2, 2, 1},
                   "..h.h..hh");
    check_readings("dct:20", KEEP_LATEST, 1, (int[]){5, 5, 4, 5, 5}, ".h..h");
}

Test(kept_rows, the_first_stay, .timeout = 10) {
    check_readings("q8_0", KEEP_FIRST, 2, (int[]){0, 3, 1, 0, 1, 3, 5}, "...h.h.");
}

/* All rows again and again: one too few, and the latest are never those that come
 * next. */
Test(kept_rows, a_product_never_finds_the_latest, .timeout = 10) {
    int rounds[18];
    for (int i = 0; i < 18; i++) rounds[i] = i % 6;
    check_readings("q4_0", KEEP_LATEST, 5, rounds, "..................");
    check_readings("q4_0", KEEP_FIRST, 5, rounds, "......hhhhh.hhhhh.");
    check_readings("q4_0", KEEP_LATEST, 6, rounds, "......hhhhhhhhhhhh");
}
