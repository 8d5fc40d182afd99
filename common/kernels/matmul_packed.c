/* Chapter 15. Tiles of C with B packed for them, the edges that no special case covers,
 * and small products without packing: see matmul_product.h. Compiled with the flags of
 * matmul.c. */
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/size.h"
#include "kernels/matmul_product.h"
#include "kernels/matmul_tile.h"
#include "kernels/simd.h"

enum {
    /* Rows of B packed at a time. */
    DEPTH = 256,
    /* Rows of A that stay in the second cache, too, packed if transposed. */
    GROUP = 128 / TILE_ROWS * TILE_ROWS,
    /* Floats that the first cache holds, and some others. */
    FIRST_CACHE = 6144,
};

/* The size of the fewest parts of n, about equal and of whole units, of which none has
 * more than `most`. */
static size_t even_part(size_t n, size_t most, size_t unit) {
    return size_ceil_div(size_ceil_div(n, size_ceil_div(n, most)), unit) * unit;
}

/* The operands of the tiles of a product, in place or packed. The rows of A for a tile
 * begin a_tile floats after those of the tile above, its `columns` columns of B b_tile
 * floats after those of the tile to the left. */
typedef struct {
    View a;
    size_t a_tile;
    const float *b;
    size_t b_row, b_tile, columns;
} Operands;

static void multiply_tile(const Product *p, const Operands *o, size_t i, size_t j) {
    View a = o->a;
    a.data += i / TILE_ROWS * o->a_tile;
    const float *b = o->b + j / o->columns * o->b_tile;
    const float *from = p->from ? p->from + i * p->from_row + j : NULL;
    Tile tile = {
        p->c + i * p->c_row + j, p->c_row, from, p->from_row, a, b, o->b_row, p->k};
    tile_run(size_min(TILE_ROWS, p->m - i), size_min(o->columns, p->n - j), &tile);
}

static void fetch_tile(const Product *p, const Operands *o, size_t i, size_t j) {
    if (j < p->n) tile_fetch(p->c + i * p->c_row + j, p->c_row, p->m - i, o->columns);
}

static void multiply_down(const Product *p, const Operands *o) {
    for (size_t j = 0; j < p->n; j += o->columns) {
        for (size_t i = 0; i < p->m; i += TILE_ROWS) {
            bool last = i + TILE_ROWS >= p->m;
            fetch_tile(p, o, last ? 0 : i + TILE_ROWS, last ? j + o->columns : j);
            multiply_tile(p, o, i, j);
        }
    }
}

static void multiply_across(const Product *p, const Operands *o) {
    for (size_t i = 0; i < p->m; i += TILE_ROWS) {
        for (size_t j = 0; j < p->n; j += o->columns) {
            fetch_tile(p, o, i, j + o->columns);
            multiply_tile(p, o, i, j);
        }
    }
}

/* Either the columns of B that a tile uses stay in the first cache while all rows of A
 * go by, or, if they are too many for it, the rows of A stay. */
static void multiply_tiles(const Product *p, const Operands *o) {
    if (p->k * o->columns <= FIRST_CACHE) {
        multiply_down(p, o);
    } else {
        multiply_across(p, o);
    }
}

/* Packed panels lie a little further apart than they are long: at multiples of 4096
 * bytes they would all take the same few places of the first cache, and drive each
 * other out while they are written in turn. */
static inline size_t panel_step(size_t depth, size_t width) {
    enum { GAP = 16 };
    return depth * width + GAP;
}

/* Floats of a packed block of B and of a packed group of A. */
#define PACKED_B (BLOCK / TILE_COLUMNS * panel_step(DEPTH, TILE_COLUMNS))
#define PACKED_A (GROUP / TILE_ROWS * panel_step(DEPTH, TILE_ROWS))

/* Room for these. Each thread has its own and keeps it. */
static float *packing_buffer(void) {
    static _Thread_local float *buffer;
    if (!buffer) buffer = checked_aligned_alloc(PACKED_B + PACKED_A, sizeof *buffer);
    return buffer;
}

void multiply_packed(const Product *p) {
    float *b_packed = packing_buffer(), *a_packed = b_packed + PACKED_B;
    bool transposed = p->a.column != 1;
    size_t width = even_part(p->n, BLOCK, TILE_COLUMNS),
           height = even_part(p->m, GROUP, TILE_ROWS);
    size_t step = even_part(p->k, DEPTH, 1);
    for (size_t j = 0; j < p->n; j += width) {
        for (size_t l = 0; l < p->k; l += step) {
            Product block = product_part(p, j, size_min(j + width, p->n), l,
                                         size_min(l + step, p->k));
            size_t b_tile = panel_step(block.k, TILE_COLUMNS);
            pack_panels(b_packed, b_tile, block.b, block.k, block.n);
            for (size_t i = 0; i < p->m; i += height) {
                Product group = product_rows(&block, i, size_min(i + height, p->m));
                Operands o = {group.a,  TILE_ROWS * group.a.row,
                              b_packed, TILE_COLUMNS,
                              b_tile,   TILE_COLUMNS};
                if (transposed) {
                    o.a_tile = panel_step(group.k, TILE_ROWS);
                    pack_rows(a_packed, o.a_tile, group.a, group.m, group.k);
                    o.a = (View){a_packed, 1, TILE_ROWS};
                }
                multiply_tiles(&group, &o);
            }
        }
    }
}

void multiply_remainder(const Product *p, size_t j0, size_t l0) {
    if (j0 > 0 && l0 < p->k) {
        Product rest = product_part(p, 0, j0, l0, p->k);
        multiply_packed(&rest);
    }
    if (j0 < p->n) {
        Product rest = product_part(p, j0, p->n, 0, p->k);
        multiply_packed(&rest);
    }
}

void store_initial(const Product *p) {
    for (size_t i = 0; i < p->m && p->from != p->c; i++) {
        float *c = p->c + i * p->c_row;
        if (p->from) {
            memcpy(c, p->from + i * p->from_row, p->n * sizeof *c);
        } else {
            memset(c, 0, p->n * sizeof *c);
        }
    }
}

/* A small B whose rows lie in order is used where it is, but for a last vector that it
 * does not fill. Its columns can then be dealt out evenly: of 64, two tiles get 32
 * each, where packing would make 48 and 16. */
void multiply_small(const Product *p) {
    size_t vectors = p->n / SIMD_WIDTH, columns = vectors * SIMD_WIDTH;
    if (vectors > 0) {
        size_t width =
            size_ceil_div(vectors, size_ceil_div(vectors, TILE_VECTORS)) * SIMD_WIDTH;
        Product inside = product_part(p, 0, columns, 0, p->k);
        Operands o = {p->a, TILE_ROWS * p->a.row, p->b.data, p->b.row, width, width};
        multiply_across(&inside, &o);
    }
    multiply_remainder(p, columns, p->k);
}
