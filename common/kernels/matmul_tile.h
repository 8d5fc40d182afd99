/* Chapter 15. The innermost part of matmul.c: a tile of C that stays in registers
 * while its products are added one after the other. */
#ifndef KERNELS_MATMUL_TILE_H
#define KERNELS_MATMUL_TILE_H

#include <math.h>

#include "kernels/fused.h"
#include "kernels/matmul_pack.h"
#include "kernels/simd.h"

/* a b + c, rounded once; if the processor can do that, the compiler makes one
 * instruction of it. */
static inline Floats floats_multiply_add(Floats a, Floats b, Floats c) {
#ifdef __clang__
#pragma STDC FP_CONTRACT ON
#endif
#if defined(__OPTIMIZE__) && (defined(__FMA__) || defined(__ARM_FEATURE_FMA))
    return a * b + c;
#elif SIMD_WIDTH == 4
    return fused_multiply_add(a, b, c);
#else
    for (size_t l = 0; l < SIMD_WIDTH; l++) c[l] = fmaf(a[l], b[l], c[l]);
    return c;
#endif
}
static inline Floats multiply_add(float a, Floats b, Floats c) {
    return floats_multiply_add(floats_all(a), b, c);
}

/* One tile of C: rows of A times `depth` rows of B, b_row apart. Its sums begin with
 * the numbers at `from`, whose rows are from_row apart: C itself, or a bias with a step
 * of 0. NULL: they begin with 0. */
typedef struct {
    float *c;
    size_t c_row;
    const float *from;
    size_t from_row;
    View a;
    const float *b;
    size_t b_row, depth;
} Tile;

/* Runs a tile of any size up to TILE_ROWS x TILE_COLUMNS; may change *t. It comes as a
 * pointer because a copy is written in small pieces and read in large ones, and such a
 * read waits until all stores before it have reached the cache: those of the tile
 * before, too. */
void tile_run(size_t rows, size_t columns, Tile *t);

/* A tile is read, where it adds to C, and written as a whole, up to TILE_ROWS rows:
 * this fetches it, while the tile before is computed. */
static inline void tile_fetch(const float *c, size_t c_row, size_t rows,
                              size_t columns) {
    enum { CACHE_LINE = 16 };
    for (size_t i = 0; i < rows && i < TILE_ROWS; i++) {
        for (size_t x = 0; x < columns; x += CACHE_LINE)
            __builtin_prefetch(c + i * c_row + x, 1);
    }
}

#endif
