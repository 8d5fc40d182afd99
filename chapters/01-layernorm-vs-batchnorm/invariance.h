/* Changes of the weights and the data of a layer that may leave its normalized output
 * the same (Ba, Kiros & Hinton 2016, table 1). This chapter compares three norms by
 * them, chapter 03 two more. */
#ifndef CHAPTER_01_INVARIANCE_H
#define CHAPTER_01_INVARIANCE_H

#include "math/random.h"

enum { MAX_CASES = 8, MAX_INPUTS = 24, MAX_UNITS = 32 };

/* Data, one case a row, and weights, one unit a column; then the factors and the shifts
 * of the changes. */
typedef struct {
    size_t cases, inputs, units;
    /* [cases, inputs], [inputs, units] */
    double x[MAX_CASES * MAX_INPUTS], weight[MAX_INPUTS * MAX_UNITS];
    double factor;
    size_t unit; /* the one that is scaled alone */
    /* added to the weights of every unit, to every case */
    double weight_shift[MAX_INPUTS], data_shift[MAX_INPUTS];
} NormProblem;

typedef enum {
    SCALE_MATRIX,
    SHIFT_MATRIX,
    SCALE_VECTOR, /* the weights of one unit */
    SCALE_DATA,
    SHIFT_DATA,
    SCALE_CASE, /* the first case */
    INVARIANCE_CHANGES
} InvarianceChange;

/* Fills x from N(0, 1), then the weights from N(0, scale^2). */
void norm_problem_draw(NormProblem *p, double scale, Random *random);

/* Normalizes the summed inputs out [cases, units] of the problem in place. */
typedef void Normalize(double *out, const NormProblem *p);

/* Without gain and eps: over the units of each case (LayerNorm), over the cases of each
 * unit (BatchNorm), and by the length of each unit's weights (WeightNorm). */
Normalize normalize_cases, normalize_batch, normalize_weights;

/* The largest difference that the change makes to an output, divided by the largest
 * output. */
double invariance_effect(const NormProblem *p, InvarianceChange change,
                         Normalize *normalize);

#endif
