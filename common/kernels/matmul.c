/* Chapter 15. Matrix products: see matmul.h.
 *
 * The innermost loop keeps a tile of C in registers and adds one product of a column of
 * A and a row of B after the other to it. Each element of C is thus summed in the order
 * of k, whatever the shape of the tile. Around it: blocks of B are packed so that a
 * tile reads them in one sweep from the cache, and threads share out C in rectangles.
 *
 * Here a * b + c is to be one rounded operation, unlike everywhere else. clang makes it
 * so where a pragma asks for it; gcc needs the flags -O3 -ffp-contract=fast for this
 * file, matmul_few.c and matmul_tile.c. */
#include "kernels/matmul.h"

#include "kernels/matmul_pack.h"
#include "kernels/matmul_product.h"
#include "kernels/matmul_tile.h"
#include "base/memory.h"
#include "kernels/simd.h"
#include "kernels/threads.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 256, /* rows of B packed at a time ... */
    BLOCK = 384 / TILE_COLUMNS *
            TILE_COLUMNS, /* ... and columns: 0.4 megabyte, for the second cache */
    GROUP = 128 / TILE_ROWS *
            TILE_ROWS,    /* rows of A that stay there, too, packed if transposed */
    FIRST_CACHE = 6144,   /* floats that the first cache holds, and some others */
    SMALL = 8192,         /* a B of so many floats fits the first cache as it is, */
    NARROW = 64,          /* one with so few columns is read from the second, */
    NARROW_SMALL = 65536, /* if it has so many floats and A's rows lie in order */
    TINY = 256,           /* multiply-adds that are not worth a tile ... */
    SERIAL = 1 << 20,     /* ... and not a second thread */
};

static size_t ceil_div(size_t a, size_t b) {
    return (a + b - 1) / b;
}

/* The size of the fewest parts of n, about equal and of whole units, of which none has
 * more than `most`. */
static size_t even_part(size_t n, size_t most, size_t unit) {
    return ceil_div(ceil_div(n, ceil_div(n, most)), unit) * unit;
}

/* Where the tiles of a product find their operands: in place or packed. The rows of A
 * for a tile begin a_tile floats after those of the tile above, its `columns` columns
 * of B b_tile floats after those of the tile to the left. */
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
    tile_run(min(TILE_ROWS, p->m - i), min(o->columns, p->n - j), &tile);
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

/* The general way, with B packed block by block, and A too if it is transposed. */
static void multiply_packed(const Product *p) {
    float *b_packed = packing_buffer(), *a_packed = b_packed + PACKED_B;
    bool transposed = p->a.column != 1;
    size_t width = even_part(p->n, BLOCK, TILE_COLUMNS),
           height = even_part(p->m, GROUP, TILE_ROWS);
    size_t step = even_part(p->k, DEPTH, 1);
    for (size_t j = 0; j < p->n; j += width) {
        for (size_t l = 0; l < p->k; l += step) {
            Product block =
                product_part(p, j, min(j + width, p->n), l, min(l + step, p->k));
            size_t b_tile = panel_step(block.k, TILE_COLUMNS);
            pack_panels(b_packed, b_tile, block.b, block.k, block.n);
            for (size_t i = 0; i < p->m; i += height) {
                Product group = product_rows(&block, i, min(i + height, p->m));
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

void product_edges(const Product *p, size_t j0, size_t l0) {
    if (j0 > 0 && l0 < p->k) {
        Product rest = product_part(p, 0, j0, l0, p->k);
        multiply_packed(&rest);
    }
    if (j0 < p->n) {
        Product rest = product_part(p, j0, p->n, 0, p->k);
        multiply_packed(&rest);
    }
}

/* A small B whose rows lie in order is used where it is, but for a last vector that it
 * does not fill. Its columns can then be dealt out evenly: of 64, two tiles get 32
 * each, where packing would make 48 and 16. */
static void multiply_small(const Product *p) {
    size_t vectors = p->n / SIMD_WIDTH, columns = vectors * SIMD_WIDTH;
    if (vectors > 0) {
        size_t width = ceil_div(vectors, ceil_div(vectors, TILE_VECTORS)) * SIMD_WIDTH;
        Product inside = product_part(p, 0, columns, 0, p->k);
        Operands o = {p->a, TILE_ROWS * p->a.row, p->b.data, p->b.row, width, width};
        multiply_across(&inside, &o);
    }
    product_edges(p, columns, p->k);
}

void product_begin(const Product *p) {
    for (size_t i = 0; i < p->m && p->from != p->c; i++) {
        float *c = p->c + i * p->c_row;
        if (p->from) {
            memcpy(c, p->from + i * p->from_row, p->n * sizeof *c);
        } else {
            memset(c, 0, p->n * sizeof *c);
        }
    }
}

/* So little that choosing a tile would take longer. */
static void multiply_tiny(const Product *p) {
    for (size_t i = 0; i < p->m; i++) {
        for (size_t j = 0; j < p->n; j++) {
            float sum = p->from ? p->from[i * p->from_row + j] : 0.0f;
            for (size_t l = 0; l < p->k; l++)
                sum = fmaf(*view_at(p->a, i, l).data, *view_at(p->b, l, j).data, sum);
            p->c[i * p->c_row + j] = sum;
        }
    }
}

static void multiply_alone(const Product *p) {
    bool in_order = p->b.column == 1;
    bool narrow = p->n <= NARROW && p->a.column == 1;
    bool small = p->k * p->n <= (narrow ? NARROW_SMALL : SMALL);
    if (p->m * p->n * p->k <= TINY)
        multiply_tiny(p);
    else if (in_order && p->m > 1 && small)
        multiply_small(p);
    else if (in_order && p->m <= FEW && p->n <= NARROW && p->a.column == 1)
        multiply_few_narrow(p);
    else if (in_order && p->m <= FEW)
        multiply_few(p);
    else if (p->m <= FEW && p->a.column == 1)
        multiply_few_transposed(p);
    else
        multiply_packed(p);
}

/* Into how many columns of rectangles to split C, one rectangle for each thread: those
 * that give the shortest time, where a tile of C takes one unit of it, and packing its
 * columns of B about as much. */
static size_t rectangles_across(size_t threads, size_t tiles_down,
                                size_t tiles_across) {
    size_t best = 1, best_time = SIZE_MAX;
    for (size_t across = 1; across <= threads; across++) {
        size_t time = ceil_div(tiles_across, across) *
                      (ceil_div(tiles_down, threads / across) + 1);
        if (time <= best_time) {
            best = across;
            best_time = time;
        }
    }
    return best;
}

static void multiply(const Product *p) {
    if (p->m == 0 || p->n == 0) return;
    if (p->k == 0) {
        product_begin(p);
        return;
    }
    size_t threads = p->m * p->n * p->k < SERIAL ? 1 : threads_free();
    if (threads == 1) {
        multiply_alone(p);
        return;
    }
    size_t tiles_down = ceil_div(p->m, TILE_ROWS),
           tiles_across = ceil_div(p->n, TILE_COLUMNS);
    size_t across = rectangles_across(threads, tiles_down, tiles_across),
           down = threads / across;
    /* A rectangle is computed block by block. Handed out one by one, the blocks make up
     * for a thread that is held up by another program. */
    if (p->m > FEW)
        across *= ceil_div(ceil_div(tiles_across, across), BLOCK / TILE_COLUMNS);
#pragma omp parallel for num_threads((int)threads) schedule(dynamic)
    for (size_t r = 0; r < across * down; r++) {
        size_t x = r % across, y = r / across;
        size_t i0 = min(p->m, tiles_down * y / down * TILE_ROWS);
        size_t i1 = min(p->m, tiles_down * (y + 1) / down * TILE_ROWS);
        size_t j0 = min(p->n, tiles_across * x / across * TILE_COLUMNS);
        size_t j1 = min(p->n, tiles_across * (x + 1) / across * TILE_COLUMNS);
        Product rows = product_rows(p, i0, i1),
                rectangle = product_part(&rows, j0, j1, 0, p->k);
        if (i0 < i1 && j0 < j1) multiply_alone(&rectangle);
    }
}

void matmul(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
            bool accumulate) {
    multiply(&(Product){c, n, m, n, k, {a, k, 1}, {b, n, 1}, accumulate ? c : NULL, n});
}

void matmul_bias(float *c, const float *a, const float *b, const float *bias, size_t m,
                 size_t n, size_t k) {
    multiply(&(Product){c, n, m, n, k, {a, k, 1}, {b, n, 1}, bias, 0});
}

void matmul_at_b(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                 bool accumulate) {
    multiply(&(Product){c, n, m, n, k, {a, 1, m}, {b, n, 1}, accumulate ? c : NULL, n});
}

void matmul_a_bt(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                 bool accumulate) {
    multiply(&(Product){c, n, m, n, k, {a, k, 1}, {b, 1, k}, accumulate ? c : NULL, n});
}

/* A square matrix is taken in stripes of so many rows or columns, of which a lower one
 * has a part only. With narrower ones a product's start would cost more than is
 * saved. */
enum { STRIPE = 48 };

/* Rows i0 .. i1 of C, columns j0 .. j1, summed over l0 .. l1. */
static void multiply_part(const Product *p, size_t i0, size_t i1, size_t j0, size_t j1,
                          size_t l0, size_t l1) {
    Product rows = product_rows(p, i0, i1), part = product_part(&rows, j0, j1, l0, l1);
    multiply(&part);
}

void matmul_square(float *c, const float *s, const float *b, size_t n, size_t m,
                   bool lower, bool accumulate) {
    Product p = {c, m, n, m, n, {s, n, 1}, {b, m, 1}, accumulate ? c : NULL, m};
    for (size_t i = 0; i < n; i += STRIPE) {
        size_t end = min(i + STRIPE, n);
        multiply_part(&p, i, end, 0, m, 0, lower ? end : n);
    }
}

void matmul_square_at_b(float *c, const float *s, const float *b, size_t n, size_t m,
                        bool lower) {
    Product p = {c, m, n, m, n, {s, 1, n}, {b, m, 1}, c, m};
    for (size_t l = 0; l < n; l += STRIPE) {
        size_t end = min(l + STRIPE, n);
        multiply_part(&p, 0, lower ? end : n, 0, m, l, end);
    }
}

void matmul_square_a_bt(float *s, const float *a, const float *b, size_t n, size_t k,
                        bool lower) {
    Product p = {s, n, n, n, k, {a, k, 1}, {b, 1, k}, NULL, 0};
    for (size_t j = 0; j < n; j += STRIPE)
        multiply_part(&p, lower ? j : 0, n, j, min(j + STRIPE, n), 0, k);
}
