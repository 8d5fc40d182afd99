/* Chapter 15. A matrix product or a part of one, and the ways to compute it on one
 * thread, of which matmul.c chooses. */
#ifndef KERNELS_MATMUL_PRODUCT_H
#define KERNELS_MATMUL_PRODUCT_H

#include <stddef.h>

#include "kernels/matmul_pack.h"

/* C = A B + the initial values of its sums, or a part of it; c_row is the step from a
 * row of C to the next, and from_row that of `from`, as in a Tile. */
typedef struct {
    float *c;
    size_t c_row, m, n, k;
    View a, b;
    const float *from;
    size_t from_row;
} Product;

/* Columns j0 .. j1 of the product, summed over l0 .. l1. With l0 > 0 the sums begin
 * with C. */
static inline Product product_part(const Product *p, size_t j0, size_t j1, size_t l0,
                                   size_t l1) {
    Product part = *p;
    part.c += j0;
    if (p->from) part.from += j0;
    if (l0 > 0) {
        part.from = part.c;
        part.from_row = p->c_row;
    }
    part.n = j1 - j0;
    part.k = l1 - l0;
    part.a = view_at(p->a, 0, l0);
    part.b = view_at(p->b, l0, j0);
    return part;
}

static inline Product product_rows(const Product *p, size_t i0, size_t i1) {
    Product part = *p;
    part.c += i0 * p->c_row;
    if (p->from) part.from += i0 * p->from_row;
    part.m = i1 - i0;
    part.a = view_at(p->a, i0, 0);
    return part;
}

/* C before the first product is added. */
void store_initial(const Product *p);

/* Columns of B that are packed at a time: 0.4 megabyte with their rows, for the second
 * cache. */
enum { BLOCK = 384 / TILE_COLUMNS * TILE_COLUMNS };

/* The general way, with B packed block by block, and A too if it is transposed. */
void multiply_packed(const Product *p);

/* The remainder that a special case leaves of a product: columns j0 .. of C, and the
 * sums of the others over l from l0 on. */
void multiply_remainder(const Product *p, size_t j0, size_t l0);

/* A B so small that packing would cost more than it saves; its rows lie in order. */
void multiply_small(const Product *p);

/* Up to so many rows of A, B is not worth packing. */
enum { FEW = 8 };

/* Products with at most FEW rows of A: of a B whose rows lie in order; of one that has
 * few columns besides, with the rows of A in order, too; of a transposed B. */
void multiply_few_rows(const Product *p);
void multiply_few_rows_narrow(const Product *p);
void multiply_few_rows_transposed(const Product *p);

#endif
