/* Chapter 15. Packing for matmul.c: copies a block of a matrix to where the innermost
 * loop reads it in one sweep.
 *
 * A packed panel holds the values of all its rows or columns for l = 0, then those for
 * l = 1, and so on. */
#ifndef KERNELS_MATMUL_PACK_H
#define KERNELS_MATMUL_PACK_H

#include <stddef.h>

#include "kernels/simd.h"
#include "kernels/view.h"

/* The tile of C that matmul.c keeps in registers: as many sums as fit,
 * beside a row of B and a column of A. */
#if SIMD_WIDTH == 16
enum { TILE_ROWS = 8, TILE_VECTORS = 3 };
#elif SIMD_WIDTH == 8
enum { TILE_ROWS = 6, TILE_VECTORS = 2 };
#else
enum { TILE_ROWS = 6, TILE_VECTORS = 3 };
#endif
enum { TILE_COLUMNS = TILE_VECTORS * SIMD_WIDTH };

/* Transposes SIMD_WIDTH vectors in place. One stage interleaves each with the one half
 * the square below; after log2(SIMD_WIDTH) stages the rows are columns. */
static inline __attribute__((always_inline)) void
transpose_square(Floats rows[SIMD_WIDTH]) {
    Floats next[SIMD_WIDTH];
#pragma GCC unroll 4
    for (size_t stage = 1; stage < SIMD_WIDTH; stage *= 2) {
#pragma GCC unroll 8
        for (size_t i = 0; i < SIMD_WIDTH / 2; i++) {
            next[2 * i] = floats_interleave_low(rows[i], rows[i + SIMD_WIDTH / 2]);
            next[2 * i + 1] = floats_interleave_high(rows[i], rows[i + SIMD_WIDTH / 2]);
        }
#pragma GCC unroll 16
        for (size_t i = 0; i < SIMD_WIDTH; i++) rows[i] = next[i];
    }
}

/* Packs b[depth, columns] into panels of TILE_COLUMNS columns, the last one filled up
 * with zeros. packed: [panels][depth, TILE_COLUMNS], `step` floats from one panel to
 * the next. */
void pack_panels(float *packed, size_t step, View b, size_t depth, size_t columns);

/* Packs a[rows, depth], whose columns lie in order in memory, into panels of TILE_ROWS
 * rows; missing columns of the last one are left as they were. packed: [panels][depth,
 * TILE_ROWS], `step` floats apart. */
void pack_rows(float *packed, size_t step, View a, size_t rows, size_t depth);

#endif
