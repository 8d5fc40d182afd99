/* Chapter 15. Packing for matmul.c: see matmul_pack.h. */
#include "kernels/matmul_pack.h"

#include <string.h>

#include "base/size.h"

/* Part of a panel, element by element, with zeros up to a whole vector: for what is
 * left at the edges. */
static void pack_slowly(float *packed, View b, size_t depth, size_t columns) {
    size_t filled = size_ceil_div(columns, SIMD_WIDTH) * SIMD_WIDTH;
    for (size_t l = 0; l < depth; l++, packed += TILE_COLUMNS) {
        for (size_t j = 0; j < columns; j++)
            packed[j] = b.data[l * b.row + j * b.column];
        for (size_t j = columns; j < filled; j++) packed[j] = 0.0f;
    }
}

/* Row by row over all panels, so that long stretches of b are read at a time. */
static void pack_straight(float *packed, size_t step, View b, size_t depth,
                          size_t panels) {
    for (size_t l = 0; l < depth; l++) {
        const float *from = b.data + l * b.row;
        float *to = packed + l * TILE_COLUMNS;
        for (size_t p = 0; p < panels; p++, from += TILE_COLUMNS, to += step) {
            memcpy(to, from, TILE_COLUMNS * sizeof(float));
        }
    }
}

/* One panel of a matrix whose columns lie in order in memory. */
static void pack_transposed(float *packed, View b, size_t depth) {
    size_t whole = depth / SIMD_WIDTH * SIMD_WIDTH;
    for (size_t j = 0; j < TILE_COLUMNS; j += SIMD_WIDTH) {
        for (size_t l = 0; l < whole; l += SIMD_WIDTH) {
            Floats square[SIMD_WIDTH];
            View corner = view_at(b, l, j);
            for (size_t r = 0; r < SIMD_WIDTH; r++)
                square[r] = floats_load(corner.data + r * b.column);
            transpose_square(square);
            for (size_t r = 0; r < SIMD_WIDTH; r++)
                floats_store(packed + (l + r) * TILE_COLUMNS + j, square[r]);
        }
    }
    pack_slowly(packed + whole * TILE_COLUMNS, view_at(b, whole, 0), depth - whole,
                TILE_COLUMNS);
}

void pack_panels(float *packed, size_t step, View b, size_t depth, size_t columns) {
    size_t panels = columns / TILE_COLUMNS, rest = columns % TILE_COLUMNS;
    if (b.column == 1) {
        pack_straight(packed, step, b, depth, panels);
    } else {
        for (size_t p = 0; p < panels; p++)
            pack_transposed(packed + p * step, view_at(b, 0, p * TILE_COLUMNS), depth);
    }
    if (rest > 0)
        pack_slowly(packed + panels * step, view_at(b, 0, panels * TILE_COLUMNS), depth,
                    rest);
}

/* The rows of a are far apart, so the next group's are fetched while this one is
 * multiplied. */
void pack_rows(float *packed, size_t step, View a, size_t rows, size_t depth) {
    for (size_t l = 0; l < depth; l++) {
        const float *from = a.data + l * a.column;
        float *to = packed + l * TILE_ROWS;
        for (size_t ahead = 0; ahead < rows; ahead += 16)
            __builtin_prefetch(from + rows + ahead);
        size_t i = 0;
        for (; i + TILE_ROWS <= rows; i += TILE_ROWS, to += step) {
            memcpy(to, from + i, TILE_ROWS * sizeof(float));
        }
        for (size_t r = 0; i + r < rows; r++) to[r] = from[i + r];
    }
}
