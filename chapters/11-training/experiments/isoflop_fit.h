/* The fit of the isoFLOP experiment, apart from it, so that a test can give it data
 * from a known surface. */
#ifndef CHAPTER_11_ISOFLOP_FIT_H
#define CHAPTER_11_ISOFLOP_FIT_H

#include <stddef.h>

enum { ISOFLOP_SIZES = 5, ISOFLOP_BUDGETS = 5 };

/* Losses of models of several sizes, each trained with each budget of operations. */
typedef struct {
    double parameters[ISOFLOP_SIZES], budget[ISOFLOP_BUDGETS];
    double loss[ISOFLOP_BUDGETS][ISOFLOP_SIZES];
} IsoFlop;

/* Where the parabola in ln N through a budget's losses has its lowest point: the size
 * that makes the most of the budget. NaN if it opens downwards. */
double isoflop_best_size(const IsoFlop *f, size_t budget);

/* The a of N_opt ~ C^a: the slope of ln N_opt over ln C (Hoffmann et al. 2022, approach
 * 2). */
double isoflop_exponent(const IsoFlop *f);

#endif
