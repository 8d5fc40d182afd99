/* The ladder: see ladder.h. Compiled with the flags of common/kernels/matmul.c, so that
 * multiply_add is one instruction. */
#include "15-speed/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernels/matmul_tile.h"
#include "base/memory.h"
#include "base/size.h"
#include "kernels/threads.h"

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

/* --- what the other rungs cut: C [m,n] += A [m,k] B [k,n], a part of a larger product.
 * Rows lie c_row, a_row and b_row floats apart --- */

//> part
typedef struct {
    float *c;
    const float *a, *b;
    size_t c_row, a_row, b_row;
    size_t m, n, k;
} Part;

/* Of p: up to `most` rows of C from i on; columns from j on; terms of the sum from
 * l. */
static inline Part rows(Part p, size_t i, size_t most) {
    p.c += i * p.c_row;
    p.a += i * p.a_row;
    p.m = size_min(most, p.m - i);
    return p;
}
static inline Part columns(Part p, size_t j, size_t most) {
    p.c += j;
    p.b += j;
    p.n = size_min(most, p.n - j);
    return p;
}
static inline Part terms(Part p, size_t l, size_t most) {
    p.a += l;
    p.b += l * p.b_row;
    p.k = size_min(most, p.k - l);
    return p;
}
//< part

static Part whole_product(float *c, const float *a, const float *b, size_t m, size_t n,
                          size_t k) {
    return (Part){.c = c,
                  .a = a,
                  .b = b,
                  .c_row = n,
                  .a_row = k,
                  .b_row = n,
                  .m = m,
                  .n = n,
                  .k = k};
}

/* --- 2: the inner loop goes along rows --- */

//> order
static void multiply_in_order(Part p) {
    for (size_t i = 0; i < p.m; i++) {
        for (size_t l = 0; l < p.k; l++) {
            float x = p.a[i * p.a_row + l];
            const float *b = p.b + l * p.b_row;
            float *c = p.c + i * p.c_row;
            for (size_t j = 0; j < p.n; j++) c[j] = fmaf(x, b[j], c[j]);
        }
    }
}
//< order

void product_order(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k) {
    multiply_in_order(whole_product(c, a, b, m, n, k));
}

/* --- 3: a tile of C in registers, for all of k. `height` is a constant wherever this
 * is called, so that the loops over it vanish --- */

static inline __attribute__((always_inline)) void multiply_tile(const Part *p,
                                                                size_t height) {
    Floats sums[TILE_ROWS][TILE_VECTORS];
    UNROLL
    for (size_t i = 0; i < height; i++) {
        UNROLL
        for (size_t v = 0; v < TILE_VECTORS; v++)
            sums[i][v] = floats_load(p->c + i * p->c_row + v * SIMD_WIDTH);
    }
    //> tile
    for (size_t l = 0; l < p->k; l++) {
        Floats b[TILE_VECTORS];
        UNROLL
        for (size_t v = 0; v < TILE_VECTORS; v++)
            b[v] = floats_load(p->b + l * p->b_row + v * SIMD_WIDTH);
        UNROLL
        for (size_t i = 0; i < height; i++) {
            UNROLL
            for (size_t v = 0; v < TILE_VECTORS; v++)
                sums[i][v] = multiply_add(p->a[i * p->a_row + l], b[v], sums[i][v]);
        }
    }
    //< tile
    UNROLL
    for (size_t i = 0; i < height; i++) {
        UNROLL
        for (size_t v = 0; v < TILE_VECTORS; v++)
            floats_store(p->c + i * p->c_row + v * SIMD_WIDTH, sums[i][v]);
    }
}

/* The part outside of whole tiles is left to rung 2: columns from n_whole on, then rows
 * from m_whole on. */
static void multiply_rest(Part p, size_t m_whole, size_t n_whole) {
    multiply_in_order(columns(rows(p, 0, m_whole), n_whole, p.n));
    multiply_in_order(rows(p, m_whole, p.m));
}

//> registers
void product_registers(float *c, const float *a, const float *b, size_t m, size_t n,
                       size_t k) {
    Part p = whole_product(c, a, b, m, n, k);
    size_t m_whole = m / TILE_ROWS * TILE_ROWS,
           n_whole = n / TILE_COLUMNS * TILE_COLUMNS;
    for (size_t i = 0; i < m_whole; i += TILE_ROWS) {
        for (size_t j = 0; j < n_whole; j += TILE_COLUMNS) {
            Part tile = columns(rows(p, i, TILE_ROWS), j, TILE_COLUMNS);
            multiply_tile(&tile, TILE_ROWS);
        }
    }
    multiply_rest(p, m_whole, n_whole);
}
//< registers

/* --- 4: the two loops swapped, so that a panel of B stays while A goes by --- */

//> down
/* All whole tiles of a panel, from top to bottom. */
static void tiles_down(Part panel, size_t m_whole) {
    for (size_t i = 0; i < m_whole; i += TILE_ROWS) {
        Part tile = rows(panel, i, TILE_ROWS);
        multiply_tile(&tile, TILE_ROWS);
    }
}
//< down

void product_panels(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    Part p = whole_product(c, a, b, m, n, k);
    size_t m_whole = m / TILE_ROWS * TILE_ROWS,
           n_whole = n / TILE_COLUMNS * TILE_COLUMNS;
    for (size_t j = 0; j < n_whole; j += TILE_COLUMNS)
        tiles_down(columns(p, j, TILE_COLUMNS), m_whole);
    multiply_rest(p, m_whole, n_whole);
}

/* --- 5: packing. The panel is copied to where its rows follow each other --- */

//> pack_panel
/* The panel's B, copied to `packed`; columns that it does not have are zeros there. */
static Part pack_panel(Part panel, float *packed) {
    View b = {panel.b, panel.b_row, 1};
    pack_panels(packed, 0, b, panel.k, panel.n);
    panel.b = packed;
    panel.b_row = TILE_COLUMNS;
    return panel;
}
//< pack_panel

void product_packed(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    Part p = whole_product(c, a, b, m, n, k);
    size_t m_whole = m / TILE_ROWS * TILE_ROWS,
           n_whole = n / TILE_COLUMNS * TILE_COLUMNS;
    float *packed = checked_aligned_alloc(k * TILE_COLUMNS, sizeof *packed);
    for (size_t j = 0; j < n_whole; j += TILE_COLUMNS)
        tiles_down(pack_panel(columns(p, j, TILE_COLUMNS), packed), m_whole);
    multiply_rest(p, m_whole, n_whole);
    free(packed);
}

/* --- 6: edges. A tile that hangs over the edge of C is computed beside it --- */

/* The compiler needs a height that it knows. */
static void tile_of_height(const Part *p) {
#define HEIGHT(h)                                                                      \
    case h:                                                                            \
        multiply_tile(p, h < TILE_ROWS ? h : TILE_ROWS);                               \
        return;
    switch (p->m) {
        HEIGHT(1) HEIGHT(2) HEIGHT(3) HEIGHT(4) HEIGHT(5) HEIGHT(6) HEIGHT(7) HEIGHT(8)
    }
#undef HEIGHT
}

/* A tile whose B is packed, and so has all of its columns, where C may have fewer. */
static void tile_anywhere(Part p) {
    if (p.n == TILE_COLUMNS) {
        tile_of_height(&p);
        return;
    }
    float beside[TILE_ROWS * TILE_COLUMNS] = {0};
    Part tile = p;
    tile.c = beside;
    tile.c_row = TILE_COLUMNS;
    for (size_t i = 0; i < p.m; i++)
        memcpy(beside + i * TILE_COLUMNS, p.c + i * p.c_row, p.n * sizeof *p.c);
    tile_of_height(&tile);
    for (size_t i = 0; i < p.m; i++)
        memcpy(p.c + i * p.c_row, beside + i * TILE_COLUMNS, p.n * sizeof *p.c);
}

static void all_tiles_down(Part panel) {
    for (size_t i = 0; i < panel.m; i += TILE_ROWS)
        tile_anywhere(rows(panel, i, TILE_ROWS));
}

void product_edged(float *c, const float *a, const float *b, size_t m, size_t n,
                   size_t k) {
    Part p = whole_product(c, a, b, m, n, k);
    float *packed = checked_aligned_alloc(k * TILE_COLUMNS, sizeof *packed);
    for (size_t j = 0; j < n; j += TILE_COLUMNS)
        all_tiles_down(pack_panel(columns(p, j, TILE_COLUMNS), packed));
    free(packed);
}

/* --- 7: blocks for the caches, by the names of Goto and van de Geijn. A panel of KC
 * rows stays in the first cache, MC rows of A in the second, and NC columns of B,
 * packed, in the third --- */

//> blocks
enum { KC = 256, MC = 96, NC = 1024 / TILE_COLUMNS * TILE_COLUMNS };

/* block's B lies in panels of block.k rows. */
static void multiply_block(Part block, const float *panels) {
    for (size_t i = 0; i < block.m; i += MC) {
        for (size_t j = 0; j < block.n; j += TILE_COLUMNS) {
            Part panel = columns(rows(block, i, MC), j, TILE_COLUMNS);
            panel.b = panels + j * block.k;
            panel.b_row = TILE_COLUMNS;
            all_tiles_down(panel);
        }
    }
}

static void multiply_blocks(Part p) {
    size_t width = size_ceil_div(size_min(p.n, NC), TILE_COLUMNS) * TILE_COLUMNS;
    float *packed = checked_aligned_alloc(KC * width, sizeof *packed);
    for (size_t j = 0; j < p.n; j += NC) {
        for (size_t l = 0; l < p.k; l += KC) {
            Part block = terms(columns(p, j, NC), l, KC);
            View b = {block.b, block.b_row, 1};
            pack_panels(packed, block.k * TILE_COLUMNS, b, block.k, block.n);
            multiply_block(block, packed);
        }
    }
    free(packed);
}
//< blocks

void product_blocks(float *c, const float *a, const float *b, size_t m, size_t n,
                    size_t k) {
    multiply_blocks(whole_product(c, a, b, m, n, k));
}

/* --- 8: threads. They share out rectangles of C, never a sum --- */

/* How many threads a product of so many multiply-adds is worth: waiting for another one
 * takes as long as a million of them. */
static size_t threads_for(size_t work) {
    return work < 1 << 20 ? 1 : threads_available();
}

//> threads
enum { STRIPE = 256 / TILE_COLUMNS * TILE_COLUMNS };

void product_threads(float *c, const float *a, const float *b, size_t m, size_t n,
                     size_t k) {
    Part p = whole_product(c, a, b, m, n, k);
    size_t threads = threads_for(m * n * k), across = size_ceil_div(n, STRIPE),
           down = across < 2 * threads ? threads : 1;
    size_t height = size_ceil_div(size_ceil_div(m, down), TILE_ROWS) * TILE_ROWS;
#pragma omp parallel for num_threads((int)threads) schedule(dynamic)
    for (size_t r = 0; r < across * down; r++) {
        size_t i = r / across * height, j = r % across * STRIPE;
        if (i < m) multiply_blocks(columns(rows(p, i, height), j, STRIPE));
    }
}
//< threads

/* --- 9: prepared weights. They stay the same from product to product, so all panels
 * are made once --- */

size_t product_prepared_size(size_t n, size_t k) {
    return size_ceil_div(n, TILE_COLUMNS) * TILE_COLUMNS * k;
}

void product_prepare(float *panels, const float *b, size_t n, size_t k) {
    pack_panels(panels, k * TILE_COLUMNS, (View){b, n, 1}, k, n);
}

//> prepared
void product_prepared(float *c, const float *a, const float *panels, size_t m, size_t n,
                      size_t k) {
    Part p = whole_product(c, a, panels, m, n, k);
#pragma omp parallel for num_threads((int)threads_for(m *n *k)) schedule(static)
    for (size_t j = 0; j < n; j += TILE_COLUMNS) {
        Part panel = columns(p, j, TILE_COLUMNS);
        panel.b = panels + j * k;
        panel.b_row = TILE_COLUMNS;
        all_tiles_down(panel);
    }
}
//< prepared

const Step ladder[STEPS] = {
    {"loops", "three loops, as the formula says", product_loops, false},
    {"order", "the inner loop goes along rows", product_order, false},
    {"registers", "a tile of C stays in registers", product_registers, false},
    {"panels", "a panel of B stays while A goes by", product_panels, false},
    {"packed", "the panel is copied to one place", product_packed, false},
    {"edges", "tiles at the edges, too", product_edged, false},
    {"blocks", "blocks for three levels of cache", product_blocks, false},
    {"threads", "rectangles shared out", product_threads, false},
    {"prepared", "all panels made before", product_prepared, true},
};

const Step *ladder_step(const char *name) {
    for (size_t s = 0; s < STEPS; s++) {
        if (strcmp(ladder[s].name, name) == 0) return &ladder[s];
    }
    die_usage("'%s': no such step; expected common, matmul, loops, order, registers, "
              "panels, packed, edges, blocks, threads or prepared",
              name);
}
