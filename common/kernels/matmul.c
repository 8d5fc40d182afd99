/* Chapter 15. Matrix products: see matmul.h.
 *
 * The innermost loop keeps a tile of C in registers and adds one product of a column of
 * A and a row of B after the other to it. Each element of C is thus summed in the order
 * of k, with any shape of the tile. Around it: blocks of B are packed so that a tile
 * reads them in one sweep from the cache, and threads share out C in rectangles.
 *
 * Here a * b + c is to be one rounded operation, unlike everywhere else. clang makes it
 * so where a pragma asks for it; gcc needs the flags -O3 -ffp-contract=fast for this
 * file, matmul_packed.c, matmul_few.c and matmul_tile.c. */
#include "kernels/matmul.h"

#include <math.h>
#include <stdint.h>

#include "base/size.h"
#include "kernels/matmul_product.h"
#include "kernels/threads.h"

enum {
    /* A B of so many floats fits the first cache as it is. */
    SMALL = 8192,
    /* One with so few columns is read from the second, if it has so many floats and A's
     * rows lie in order. */
    NARROW = 64,
    NARROW_SMALL = 65536,
    /* Multiply-adds that are not worth a tile, and not a second thread. */
    TINY = 256,
    SERIAL = 1 << 20,
};

/* A product so small that choosing a tile would take longer. */
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

static void multiply_one_thread(const Product *p) {
    bool in_order = p->b.column == 1;
    bool narrow = p->n <= NARROW && p->a.column == 1;
    bool small = p->k * p->n <= (narrow ? NARROW_SMALL : SMALL);
    if (p->m * p->n * p->k <= TINY)
        multiply_tiny(p);
    else if (in_order && p->m > 1 && small)
        multiply_small(p);
    else if (in_order && p->m <= FEW && p->n <= NARROW && p->a.column == 1)
        multiply_few_rows_narrow(p);
    else if (in_order && p->m <= FEW)
        multiply_few_rows(p);
    else if (p->m <= FEW && p->a.column == 1)
        multiply_few_rows_transposed(p);
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
        size_t time = size_ceil_div(tiles_across, across) *
                      (size_ceil_div(tiles_down, threads / across) + 1);
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
        store_initial(p);
        return;
    }
    size_t threads = p->m * p->n * p->k < SERIAL ? 1 : threads_available();
    if (threads == 1) {
        multiply_one_thread(p);
        return;
    }
    size_t tiles_down = size_ceil_div(p->m, TILE_ROWS),
           tiles_across = size_ceil_div(p->n, TILE_COLUMNS);
    size_t across = rectangles_across(threads, tiles_down, tiles_across),
           down = threads / across;
    /* A rectangle is computed block by block. Handed out one by one, the blocks make up
     * for a thread that is held up by another program. */
    if (p->m > FEW)
        across *=
            size_ceil_div(size_ceil_div(tiles_across, across), BLOCK / TILE_COLUMNS);
#pragma omp parallel for num_threads((int)threads) schedule(dynamic)
    for (size_t r = 0; r < across * down; r++) {
        size_t x = r % across, y = r / across;
        size_t i0 = size_min(p->m, tiles_down * y / down * TILE_ROWS);
        size_t i1 = size_min(p->m, tiles_down * (y + 1) / down * TILE_ROWS);
        size_t j0 = size_min(p->n, tiles_across * x / across * TILE_COLUMNS);
        size_t j1 = size_min(p->n, tiles_across * (x + 1) / across * TILE_COLUMNS);
        Product rows = product_rows(p, i0, i1),
                rectangle = product_part(&rows, j0, j1, 0, p->k);
        if (i0 < i1 && j0 < j1) multiply_one_thread(&rectangle);
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
        size_t end = size_min(i + STRIPE, n);
        multiply_part(&p, i, end, 0, m, 0, lower ? end : n);
    }
}

void matmul_square_at_b(float *c, const float *s, const float *b, size_t n, size_t m,
                        bool lower) {
    Product p = {c, m, n, m, n, {s, 1, n}, {b, m, 1}, c, m};
    for (size_t l = 0; l < n; l += STRIPE) {
        size_t end = size_min(l + STRIPE, n);
        multiply_part(&p, 0, lower ? end : n, 0, m, l, end);
    }
}

void matmul_square_a_bt(float *s, const float *a, const float *b, size_t n, size_t k,
                        bool lower) {
    Product p = {s, n, n, n, k, {a, k, 1}, {b, 1, k}, NULL, 0};
    for (size_t j = 0; j < n; j += STRIPE)
        multiply_part(&p, lower ? j : 0, n, j, size_min(j + STRIPE, n), 0, k);
}
