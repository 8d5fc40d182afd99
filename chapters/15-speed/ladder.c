/* The ladder: see ladder.h. Compiled with the flags of common/kernels/matmul.c, so that
 * multiply_add is one instruction. */
#include "15-speed/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernels/matmul_tile.h"
#include "base/memory.h"
#include "kernels/threads.h"

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}
static size_t ceil_div(size_t a, size_t b) {
    return (a + b - 1) / b;
}

/* --- 1: three loops, as the formula says --- */

//> loops
void product_loops(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t l = 0; l < k; l++)
                c[i * n + j] = fmaf(a[i * k + l], b[l * n + j], c[i * n + j]);
        }
    }
}
//< loops

/* --- 2: the order of the loops, so that memory is read in a row. Rows lie c_row,
 * a_row, b_row apart: the steps below have it compute what is left at the edges --- */

//> order
static void multiply_in_order(float *c, size_t c_row, const float *a, size_t a_row,
                              const float *b, size_t b_row, size_t m, size_t n,
                              size_t k) {
    for (size_t i = 0; i < m; i++) {
        for (size_t l = 0; l < k; l++) {
            float x = a[i * a_row + l];
            for (size_t j = 0; j < n; j++)
                c[i * c_row + j] = fmaf(x, b[l * b_row + j], c[i * c_row + j]);
        }
    }
}
//< order

void product_order(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k) {
    multiply_in_order(c, n, a, k, b, n, m, n, k);
}

/* --- 3: a tile in registers. Two rows of A meet four rows of B, and each number of C
 * that is fetched is given four products before it goes back --- */

enum { HEIGHT = 2, DEEP = 4 };

//> tile
static void two_rows_by_four(float *restrict c, const float *restrict a,
                             const float *restrict b, size_t n, size_t k) {
    for (size_t j = 0; j < n; j++) {
        UNROLL for (size_t i = 0; i < HEIGHT; i++) {
            float sum = c[i * n + j];
            UNROLL for (size_t l = 0; l < DEEP; l++) sum =
                fmaf(a[i * k + l], b[l * n + j], sum);
            c[i * n + j] = sum;
        }
    }
}

void product_tile(float *c, const float *a, const float *b, size_t m, size_t n,
                  size_t k) {
    size_t rows = m / HEIGHT * HEIGHT, depth = k / DEEP * DEEP;
    for (size_t i = 0; i < rows; i += HEIGHT) {
        for (size_t l = 0; l < depth; l += DEEP)
            two_rows_by_four(c + i * n, a + i * k + l, b + l * n, n, k);
    }
    multiply_in_order(c, n, a + depth, k, b + depth * n, n, rows, n, k - depth);
    multiply_in_order(c + rows * n, n, a + rows * k, k, b, n, m - rows, n, k);
}
//< tile

/* --- 4: vectors of the machine's width, and a tile as large as its registers --- */

//> vectors
static inline __attribute__((always_inline)) void
tile_of_vectors(float *c, size_t c_row, const float *const *a, const float *b,
                size_t b_row, size_t depth, size_t rows) {
    Floats sums[TILE_ROWS][TILE_VECTORS];
    UNROLL for (size_t i = 0; i < rows; i++) {
        UNROLL for (size_t v = 0; v < TILE_VECTORS; v++) sums[i][v] =
            floats_load(c + i * c_row + v * SIMD_WIDTH);
    }
    for (size_t l = 0; l < depth; l++, b += b_row) {
        Floats row[TILE_VECTORS];
        UNROLL for (size_t v = 0; v < TILE_VECTORS; v++) row[v] =
            floats_load(b + v * SIMD_WIDTH);
        UNROLL for (size_t i = 0; i < rows; i++) {
            UNROLL for (size_t v = 0; v < TILE_VECTORS; v++) sums[i][v] =
                multiply_add(a[i][l], row[v], sums[i][v]);
        }
    }
    UNROLL for (size_t i = 0; i < rows; i++) {
        UNROLL for (size_t v = 0; v < TILE_VECTORS; v++)
            floats_store(c + i * c_row + v * SIMD_WIDTH, sums[i][v]);
    }
}
//< vectors

void product_vectors(float *c, const float *a, const float *b, size_t m, size_t n,
                     size_t k) {
    size_t m_whole = m / TILE_ROWS * TILE_ROWS,
           n_whole = n / TILE_COLUMNS * TILE_COLUMNS;
    for (size_t i = 0; i < m_whole; i += TILE_ROWS) {
        const float *rows[TILE_ROWS];
        for (size_t r = 0; r < TILE_ROWS; r++) rows[r] = a + (i + r) * k;
        for (size_t j = 0; j < n_whole; j += TILE_COLUMNS)
            tile_of_vectors(c + i * n + j, n, rows, b + j, n, k, TILE_ROWS);
    }
    multiply_in_order(c + n_whole, n, a, k, b + n_whole, n, m_whole, n - n_whole, k);
    multiply_in_order(c + m_whole * n, n, a + m_whole * k, k, b, n, m - m_whole, n, k);
}

/* --- 5: packing. A panel of B, TILE_COLUMNS wide, is copied to where its rows follow
 * each other; columns that B does not have are zeros there. So one tile fits all: at an
 * edge it is computed beside C --- */

enum { FEW = TILE_ROWS / 2 };

static void tile_with_edges(float *c, size_t c_row, size_t rows, size_t columns,
                            const float *a, size_t a_row, const float *panel,
                            size_t depth) {
    if (rows > 1 && rows < FEW) { /* fewer would leave most of a tile unused */
        for (size_t i = 0; i < rows; i++)
            tile_with_edges(c + i * c_row, c_row, 1, columns, a + i * a_row, a_row,
                            panel, depth);
        return;
    }
    const float *row[TILE_ROWS];
    for (size_t i = 0; i < TILE_ROWS; i++)
        row[i] = a + min(i, rows - 1) * a_row; /* the last again and again */
    float beside[TILE_ROWS * TILE_COLUMNS];
    bool whole = columns == TILE_COLUMNS && (rows == TILE_ROWS || rows == 1);
    float *sums = whole ? c : beside;
    size_t sums_row = whole ? c_row : TILE_COLUMNS;
    if (!whole) memset(beside, 0, sizeof beside);
    for (size_t i = 0; !whole && i < rows; i++)
        memcpy(beside + i * TILE_COLUMNS, c + i * c_row, columns * sizeof *c);
    if (rows == 1) {
        tile_of_vectors(sums, sums_row, row, panel, TILE_COLUMNS, depth, 1);
    } else {
        tile_of_vectors(sums, sums_row, row, panel, TILE_COLUMNS, depth, TILE_ROWS);
    }
    for (size_t i = 0; !whole && i < rows; i++)
        memcpy(c + i * c_row, beside + i * TILE_COLUMNS, columns * sizeof *c);
}

//> packed
void product_packed(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    float *panel = checked_aligned_alloc(k * TILE_COLUMNS, sizeof *panel);
    for (size_t j = 0; j < n; j += TILE_COLUMNS) {
        size_t columns = min(TILE_COLUMNS, n - j);
        pack_panels(panel, k * TILE_COLUMNS, (View){b + j, n, 1}, k, columns);
        for (size_t i = 0; i < m; i += TILE_ROWS)
            tile_with_edges(c + i * n + j, n, min(TILE_ROWS, m - i), columns, a + i * k,
                            k, panel, k);
    }
    free(panel);
}
//< packed

/* --- 6: blocks for the caches. DEPTH rows of BLOCK columns of B, 0.3 megabytes, stay
 * in the second cache while all of A goes by, and TILE_ROWS rows of A in the first
 * while the panels go by --- */

enum { DEPTH = 384, BLOCK = 192 / TILE_COLUMNS * TILE_COLUMNS };

//> blocks
static void multiply_panels(float *c, size_t c_row, const float *a, size_t a_row,
                            const float *panels, size_t panel_rows, size_t m, size_t n,
                            size_t depth) {
    for (size_t i = 0; i < m; i += TILE_ROWS) {
        for (size_t j = 0; j < n; j += TILE_COLUMNS) {
            tile_with_edges(c + i * c_row + j, c_row, min(TILE_ROWS, m - i),
                            min(TILE_COLUMNS, n - j), a + i * a_row, a_row,
                            panels + j * panel_rows, depth);
        }
    }
}

static void multiply_blocks(float *c, const float *a, const float *b, size_t m,
                            size_t n, size_t k, size_t row) {
    float *packed = checked_aligned_alloc((size_t)DEPTH * BLOCK, sizeof *packed);
    for (size_t j = 0; j < n; j += BLOCK) {
        size_t columns = min(BLOCK, n - j);
        for (size_t l = 0; l < k; l += DEPTH) {
            size_t depth = min(DEPTH, k - l);
            pack_panels(packed, depth * TILE_COLUMNS, (View){b + l * row + j, row, 1},
                        depth, columns);
            multiply_panels(c + j, row, a + l, k, packed, depth, m, columns, depth);
        }
    }
    free(packed);
}
//< blocks

void product_blocks(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    multiply_blocks(c, a, b, m, n, k, n);
}

/* --- 7: threads. They share out rectangles of C, never a sum --- */

/* How many threads a product of so many multiply-adds is worth: waiting for another one
 * takes as long as a million of them. */
static size_t threads_for(size_t work) {
    return work < 1 << 20 ? 1 : threads_free();
}

//> threads
void product_threads(float *c, const float *a, const float *b, size_t m, size_t n,
                     size_t k) {
    size_t threads = threads_for(m * n * k), across = ceil_div(n, BLOCK),
           down = across < 2 * threads ? threads : 1;
    size_t rows = ceil_div(ceil_div(m, down), TILE_ROWS) * TILE_ROWS;
#pragma omp parallel for num_threads((int)threads) schedule(dynamic)
    for (size_t r = 0; r < across * down; r++) {
        size_t i = r / across * rows, j = r % across * BLOCK;
        if (i < m)
            multiply_blocks(c + i * n + j, a + i * k, b + j, min(rows, m - i),
                            min(BLOCK, n - j), k, n);
    }
}
//< threads

/* --- 8: prepared weights. Weights stay the same from product to product, so all panels
 * are made once --- */

size_t prepared_size(size_t n, size_t k) {
    return ceil_div(n, TILE_COLUMNS) * TILE_COLUMNS * k;
}

void prepare(float *panels, const float *b, size_t n, size_t k) {
    pack_panels(panels, k * TILE_COLUMNS, (View){b, n, 1}, k, n);
}

//> prepared
void product_prepared(float *c, const float *a, const float *panels, size_t m, size_t n,
                      size_t k) {
    size_t across = ceil_div(n, BLOCK);
#pragma omp parallel for num_threads((int)threads_for(m *n *k))
    for (size_t r = 0; r < across; r++) {
        size_t j = r * BLOCK, columns = min(BLOCK, n - j);
        for (size_t l = 0; l < k; l += DEPTH) {
            size_t depth = min(DEPTH, k - l);
            multiply_panels(c + j, n, a + l, k, panels + j * k + l * TILE_COLUMNS, k, m,
                            columns, depth);
        }
    }
}
//< prepared

const Step ladder[STEPS] = {
    {"loops", "three loops, as the formula says", product_loops, false},
    {"order", "the inner loop goes along rows", product_order, false},
    {"tile", "a number of C stays for four products", product_tile, false},
    {"vectors", "vector types, a tile that fills the registers", product_vectors,
     false},
    {"packed", "B in panels", product_packed, false},
    {"blocks", "panels and rows that stay in the caches", product_blocks, false},
    {"threads", "rectangles shared out", product_threads, false},
    {"prepared", "all panels made before", product_prepared, true},
};

const Step *ladder_step(const char *name) {
    for (size_t s = 0; s < STEPS; s++) {
        if (strcmp(ladder[s].name, name) == 0) return &ladder[s];
    }
    die_usage("'%s': no such step; expected common, matmul, loops, order, tile, "
              "vectors, packed, blocks, "
              "threads or prepared",
              name);
}
