/* Chapter 15. Products with few rows of A: the time goes into reading B. Decoding with
 * a cache does these, for every weight of a model as its file has it. Compiled with the
 * flags of matmul.c. */
#include "kernels/matmul_product.h"

#include <stdbool.h>

#include "base/size.h"
#include "kernels/matmul_tile.h"
#include "kernels/simd.h"

enum {
    ROWS_AT_ONCE = 8,            /* of B, */
    STRETCH = 4,                 /* and so many vectors of each; if it is transposed, */
    ROWS_AHEAD = 2 * SIMD_WIDTH, /* the row that comes so much later is fetched */
    STRIP = 16384, /* floats of C that stay in the cache while B streams by */
};

/* `vectors` of c += a[0] b[0] + a[1] b[1] + ..., one after the other, for `rows` rows
 * of B. */
static inline __attribute__((always_inline)) void add_rows(float *c, const float *a,
                                                           const float *b, size_t b_row,
                                                           size_t rows,
                                                           size_t vectors) {
    Floats sums[STRETCH];
    UNROLL
    for (size_t v = 0; v < vectors; v++) sums[v] = floats_load(c + v * SIMD_WIDTH);
    UNROLL
    for (size_t r = 0; r < rows; r++, b += b_row) {
        UNROLL
        for (size_t v = 0; v < vectors; v++)
            sums[v] = multiply_add(a[r], floats_load(b + v * SIMD_WIDTH), sums[v]);
    }
    UNROLL
    for (size_t v = 0; v < vectors; v++) floats_store(c + v * SIMD_WIDTH, sums[v]);
}

/* The same for all columns of c. A stretch of a row is read at a time: whole cache
 * lines are fastest. */
static inline __attribute__((always_inline)) void
add_whole_rows(float *c, const float *a, const View *b, size_t rows, size_t columns) {
    size_t j = 0;
    for (; columns - j >= STRETCH * SIMD_WIDTH; j += STRETCH * SIMD_WIDTH)
        add_rows(c + j, a, b->data + j, b->row, rows, STRETCH);
    for (; j < columns; j += SIMD_WIDTH)
        add_rows(c + j, a, b->data + j, b->row, rows, 1);
}

/* B is read once, in the order of memory and several rows at a time, while the sums
 * wait in C. */
void multiply_few_rows(const Product *p) {
    size_t columns = p->n / SIMD_WIDTH * SIMD_WIDTH,
           strip = STRIP / p->m / SIMD_WIDTH * SIMD_WIDTH;
    for (size_t j = 0; j < columns; j += strip) {
        Product part = product_part(p, j, size_min(j + strip, columns), 0, p->k);
        store_initial(&part);
        for (size_t l = 0; l < p->k; l += ROWS_AT_ONCE) {
            View b = view_at(part.b, l, 0);
            size_t rows = size_min(ROWS_AT_ONCE, p->k - l);
            for (size_t i = 0; i < p->m; i++) {
                float *c = part.c + i * part.c_row, a[ROWS_AT_ONCE];
                for (size_t r = 0; r < rows; r++) a[r] = *view_at(p->a, i, l + r).data;
                /* the same, but a number that the compiler knows */
                if (rows == ROWS_AT_ONCE) {
                    add_whole_rows(c, a, &b, ROWS_AT_ONCE, part.n);
                } else {
                    add_whole_rows(c, a, &b, rows, part.n);
                }
            }
        }
    }
    multiply_remainder(p, columns, p->k);
}

/* The sums of so few columns stay in registers while all rows of B go by. */
void multiply_few_rows_narrow(const Product *p) {
    size_t columns = p->n / SIMD_WIDTH * SIMD_WIDTH;
    Product whole = product_part(p, 0, columns, 0, p->k);
    store_initial(&whole);
    for (size_t i = 0; i < p->m; i++) {
        float *c = p->c + i * p->c_row;
        add_whole_rows(c, p->a.data + i * p->a.row, &p->b, p->k, columns);
    }
    multiply_remainder(p, columns, p->k);
}

/* The same for a transposed B. A square of it is transposed in registers, where its
 * rows then serve as above. Rows are fetched ahead, into the second cache: so many
 * streams at once are more than a processor sees by itself. If nothing is in the way,
 * the last square overlaps the one before it and computes some columns again: that is
 * quicker than their edge. */
void multiply_few_rows_transposed(const Product *p) {
    size_t depth = p->k / SIMD_WIDTH * SIMD_WIDTH;
    bool overlap = p->n >= SIMD_WIDTH && depth == p->k && p->from != p->c;
    size_t columns = overlap ? p->n : p->n / SIMD_WIDTH * SIMD_WIDTH;
    for (size_t next = 0; next < columns && depth > 0; next += SIMD_WIDTH) {
        size_t j = size_min(next, p->n - SIMD_WIDTH);
        Floats sums[FEW];
        for (size_t i = 0; i < p->m; i++) {
            sums[i] =
                p->from ? floats_load(p->from + i * p->from_row + j) : (Floats){0};
        }
        for (size_t l = 0; l < depth; l += SIMD_WIDTH) {
            Floats square[SIMD_WIDTH];
            View b = view_at(p->b, l, j);
            UNROLL
            for (size_t r = 0; r < SIMD_WIDTH; r++) {
                square[r] = floats_load(b.data + r * b.column);
                __builtin_prefetch(b.data + (r + ROWS_AHEAD) * b.column, 0, 2);
            }
            transpose_square(square);
            for (size_t i = 0; i < p->m; i++) {
                const float *a = p->a.data + i * p->a.row + l;
                Floats sum = sums[i];
                UNROLL
                for (size_t r = 0; r < SIMD_WIDTH; r++)
                    sum = multiply_add(a[r], square[r], sum);
                sums[i] = sum;
            }
        }
        for (size_t i = 0; i < p->m; i++)
            floats_store(p->c + i * p->c_row + j, sums[i]);
    }
    multiply_remainder(p, columns, depth);
}
