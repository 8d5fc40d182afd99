/* Chapter 15. A tile of a product: see matmul_tile.h. Compiled with the flags of
 * matmul.c. */
#include "kernels/matmul_tile.h"

#include <string.h>

static inline __attribute__((always_inline)) void
tile_multiply(size_t rows, size_t vectors, const Tile *t) {
    Floats sums[TILE_ROWS][TILE_VECTORS], b_row[TILE_VECTORS];
    const float *a = t->a.data, *b = t->b;
    const size_t c_row = t->c_row, from_row = t->from_row, a_row = t->a.row,
                 depth = t->depth;
    const float *from = t->from;
    float *c = t->c;
    UNROLL
    for (size_t i = 0; i < rows; i++) {
        UNROLL
        for (size_t v = 0; v < vectors; v++) {
            sums[i][v] =
                from ? floats_load(from + i * from_row + v * SIMD_WIDTH) : (Floats){0};
        }
    }
    for (size_t l = 0; l < depth; l++, a += t->a.column, b += t->b_row) {
        UNROLL
        for (size_t v = 0; v < vectors; v++) b_row[v] = floats_load(b + v * SIMD_WIDTH);
        UNROLL
        for (size_t i = 0; i < rows; i++) {
            UNROLL
            for (size_t v = 0; v < vectors; v++)
                sums[i][v] = multiply_add(a[i * a_row], b_row[v], sums[i][v]);
        }
    }
    UNROLL
    for (size_t i = 0; i < rows; i++) {
        UNROLL
        for (size_t v = 0; v < vectors; v++)
            floats_store(c + i * c_row + v * SIMD_WIDTH, sums[i][v]);
    }
}

/* X for all sizes of a tile. */
#if SIMD_WIDTH == 8
#define FOR_VECTORS(X, rows) X(rows, 1) X(rows, 2)
#else
#define FOR_VECTORS(X, rows) X(rows, 1) X(rows, 2) X(rows, 3)
#endif
#if SIMD_WIDTH == 16
#define FOR_ROWS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#else
#define FOR_ROWS(X) X(1) X(2) X(3) X(4) X(5) X(6)
#endif

/* One function for each size of a tile, so that the compiler sees constants: tile_1_1,
 * tile_1_2 ... */
#define TILE_FUNCTION(rows, vectors)                                                   \
    static void tile_##rows##_##vectors(const Tile *t) {                               \
        tile_multiply(rows, vectors, t);                                               \
    }
#define TILE_FUNCTIONS(rows) FOR_VECTORS(TILE_FUNCTION, rows)
FOR_ROWS(TILE_FUNCTIONS)

#define TILE_NAME(rows, vectors) tile_##rows##_##vectors,
#define TILE_NAMES(rows) {FOR_VECTORS(TILE_NAME, rows)},
static void (*const tile_functions[TILE_ROWS][TILE_VECTORS])(const Tile *) = {
    FOR_ROWS(TILE_NAMES)};

/* A tile that does not fill its vectors is computed beside C. */
void tile_run(size_t rows, size_t columns, Tile *t) {
    void (*run)(const Tile *) = tile_functions[rows - 1][(columns - 1) / SIMD_WIDTH];
    if (columns % SIMD_WIDTH == 0) {
        run(t);
        return;
    }
    float beside[TILE_ROWS * TILE_COLUMNS] = {0};
    float *c = t->c;
    size_t c_row = t->c_row, bytes = columns * sizeof(float);
    for (size_t i = 0; i < rows && t->from; i++)
        memcpy(beside + i * TILE_COLUMNS, t->from + i * t->from_row, bytes);
    t->c = beside;
    t->c_row = t->from_row = TILE_COLUMNS;
    t->from = beside;
    run(t);
    for (size_t i = 0; i < rows; i++)
        memcpy(c + i * c_row, beside + i * TILE_COLUMNS, bytes);
}
