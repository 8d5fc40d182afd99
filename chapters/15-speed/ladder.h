/* The ladder: one matrix product in nine rungs, from three loops to what
 * common/kernels/matmul.c does.
 *
 * Each rung changes one thing, and adds the same products in the same order: an element
 * of C is the sum over k, in increasing order, of fused multiply-adds (fmaf) that start
 * from what C holds. So all rungs give the same bytes, and what is left to compare is
 * time. */
#ifndef CHAPTER_15_LADDER_H
#define CHAPTER_15_LADDER_H

#include <stdbool.h>
#include <stddef.h>

/* C[m,n] += A[m,k] B[k,n], all row by row. */
typedef void Product(float *c, const float *a, const float *b, size_t m, size_t n,
                     size_t k);

Product product_loops, product_order, product_registers, product_panels, product_packed,
    product_edged, product_blocks, product_threads;

/* The last rung takes, in the place of B, panels that were made once:
 * product_prepare fills product_prepared_size(n, k) floats. */
Product product_prepared;
size_t product_prepared_size(size_t n, size_t k);
void product_prepare(float *panels, const float *b, size_t n, size_t k);

typedef struct {
    const char *name, *says;
    Product *run;
    bool prepared; /* run takes panels in the place of B */
} Step;

enum { LOOPS, ORDER, REGISTERS, PANELS, PACKED, EDGES, BLOCKS, THREADS, PREPARED };
enum { STEPS = PREPARED + 1 };
extern const Step ladder[STEPS];

/* The step called so; ends the program with a usage error where there is none. */
const Step *ladder_step(const char *name);

#endif
