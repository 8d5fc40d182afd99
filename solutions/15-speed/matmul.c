/* A matrix product in blocks. Before you read on: make hint-15 EX=matmul */
#include "15-speed/matmul.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "15-speed/pack.h"
#include "base/memory.h"
#include "kernels/matmul_pack.h"
#include "kernels/simd.h"

/* A tile's sums fill the registers. A panel of B, DEPTH rows of COLUMNS, stays in the
 * first cache, GROUP rows of A in the second, BLOCK columns of B in the third. */
enum { ROWS = TILE_ROWS, VECTORS = TILE_VECTORS, COLUMNS = VECTORS * SIMD_WIDTH };
enum { DEPTH = 256, GROUP = 16 * ROWS, BLOCK = 32 * COLUMNS };

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* A part of C and the panels whose product is added to it. */
typedef struct {
    float *c;
    size_t c_row; /* floats from a row of C to the next */
    const float *a, *b;
    size_t rows, columns, depth;
} Part;

/* x y + sum in each lane, rounded once. */
static inline Floats multiply_add(float x, Floats y, Floats sum) {
    UNROLL
    for (size_t lane = 0; lane < SIMD_WIDTH; lane++)
        sum[lane] = fmaf(x, y[lane], sum[lane]);
    return sum;
}

/* ROWS x COLUMNS of C: one panel of A, one of B. The sums leave C once and come back
 * once. */
static void whole_tile(const Part *p) {
    Floats sums[ROWS][VECTORS];
    UNROLL
    for (size_t i = 0; i < ROWS; i++) {
        UNROLL
        for (size_t v = 0; v < VECTORS; v++)
            sums[i][v] = floats_load(p->c + i * p->c_row + v * SIMD_WIDTH);
    }
    for (size_t l = 0; l < p->depth; l++) {
        const float *a = p->a + l * ROWS, *b = p->b + l * COLUMNS;
        UNROLL
        for (size_t i = 0; i < ROWS; i++) {
            UNROLL
            for (size_t v = 0; v < VECTORS; v++)
                sums[i][v] =
                    multiply_add(a[i], floats_load(b + v * SIMD_WIDTH), sums[i][v]);
        }
    }
    UNROLL
    for (size_t i = 0; i < ROWS; i++) {
        UNROLL
        for (size_t v = 0; v < VECTORS; v++)
            floats_store(p->c + i * p->c_row + v * SIMD_WIDTH, sums[i][v]);
    }
}

/* The panels are filled up with zeros; what C does not have is computed beside it. */
static void tile(const Part *p) {
    if (p->rows == ROWS && p->columns == COLUMNS) {
        whole_tile(p);
        return;
    }
    float beside[ROWS * COLUMNS] = {0};
    size_t bytes = p->columns * sizeof *p->c;
    Part whole = *p;
    whole.c = beside;
    whole.c_row = COLUMNS;
    for (size_t i = 0; i < p->rows; i++)
        memcpy(beside + i * COLUMNS, p->c + i * p->c_row, bytes);
    whole_tile(&whole);
    for (size_t i = 0; i < p->rows; i++)
        memcpy(p->c + i * p->c_row, beside + i * COLUMNS, bytes);
}

/* All tiles of a group of rows and a block of columns. */
static void multiply_group(const Part *group) {
    for (size_t j = 0; j < group->columns; j += COLUMNS) {
        for (size_t i = 0; i < group->rows; i += ROWS) {
            Part p = *group;
            p.c += i * p.c_row + j;
            p.a += i * p.depth;
            p.b += j * p.depth;
            p.rows = min(ROWS, group->rows - i);
            p.columns = min(COLUMNS, group->columns - j);
            tile(&p);
        }
    }
}

/* The same matrix with its rows for columns. */
static View transposed(View v) {
    return (View){v.data, v.column, v.row};
}

void blocked_matmul(float *c, View a, View b, size_t m, size_t n, size_t k) {
    float *a_packed = checked_aligned_alloc(DEPTH * GROUP, sizeof *a_packed);
    float *b_packed = checked_aligned_alloc(DEPTH * BLOCK, sizeof *b_packed);
    for (size_t j = 0; j < n; j += BLOCK) {
        for (size_t l = 0; l < k; l += DEPTH) {
            size_t columns = min(BLOCK, n - j), depth = min(DEPTH, k - l);
            pack(b_packed, view_at(b, l, j), depth, columns, COLUMNS);
            for (size_t i = 0; i < m; i += GROUP) {
                size_t rows = min(GROUP, m - i);
                pack(a_packed, transposed(view_at(a, i, l)), depth, rows, ROWS);
                multiply_group(&(Part){.c = c + i * n + j,
                                       .c_row = n,
                                       .a = a_packed,
                                       .b = b_packed,
                                       .rows = rows,
                                       .columns = columns,
                                       .depth = depth});
            }
        }
    }
    free(a_packed);
    free(b_packed);
}
