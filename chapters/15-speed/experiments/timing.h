/* How the experiments of this chapter take times: what they compare takes turns, and
 * the quickest turn of each counts. What else the machine does makes a turn longer,
 * never shorter. */
#ifndef CHAPTER_15_TIMING_H
#define CHAPTER_15_TIMING_H

#include "15-speed/ladder.h"

/* C[m,n] += A[m,k] B[k,n], with room for all of it, and the panels of B. */
typedef struct {
    size_t m, n, k;
    float *a, *b, *c, *panels;
} Operands;

Operands operands_create(size_t m, size_t n, size_t k);
void operands_free(Operands *o);

/* Floating-point operations of such a product. */
double operands_flop(const Operands *o);

/* C += A B by common/kernels/matmul.c. */
Product product_common;

/* A product that is timed. seconds: of its quickest turn so far. */
typedef struct {
    Product *run;
    bool prepared; /* as in ladder.h */
    size_t rows; /* of A; fewer than m where all of them would take too long, 0: all */
    double seconds;
} Contender;

/* Operations a second of its quickest turn. */
double contender_rate(const Contender *c, const Operands *o);

/* So many turns of each; one turn repeats its product for a millisecond at least, with
 * several threads for 20. */
void timing_take_turns(Contender *c, size_t n, const Operands *o, size_t threads,
                       size_t turns);

/* The same for what is no product: seconds[i] is how long run[i] takes. It runs once a
 * turn, and finds the caches as the one before left them. What takes more than a second
 * has one turn. */
typedef void Work(void);
void timing_work(double *seconds, Work *const *run, size_t n, size_t threads,
                 size_t turns);

#endif
