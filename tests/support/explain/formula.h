/* Products of known arrays, summed over an axis: how arrays are read, and which product
 * gives the numbers. For explain_sums.c. */
#ifndef TESTS_FORMULA_H
#define TESTS_FORMULA_H

#include "check/wrong.h"

/* A known array read with these axes, which may be others than its own, in another
 * order: as a matrix that is transposed, or one that stands where another belongs. */
typedef struct {
    const Known *known;
    size_t stride[MAX_AXES]; /* by the axes of known_facts(); 0: not one of its own */
    size_t labels[MAX_AXES];
    bool natural;
} Reading;

enum { MAX_READINGS = 160 };

/* factor * a * b * c, summed over the axis `over`. b and c may be NULL, and `over`
 * UNKNOWN_AXIS: then it is a product. */
typedef struct {
    const Reading *a, *b, *c;
    size_t over, n_terms;
    double factor;
} Formula;

typedef struct {
    Reading readings[MAX_READINGS];
    size_t n;
} Readings;

size_t size_of_axis(size_t label);

/* Adds the readings of an array whose first `chosen` labels stand. Their sizes are
 * those of its axes, or, of a matrix, have the same product: what [in, out] is when it
 * is read as [out, in]. */
void readings_add(Readings *all, const Known *known, size_t *labels, size_t chosen);

/* The terms first .. end - 1 of element i. */
double formula_terms(const Wrong *w, const Formula *f, size_t i, size_t first,
                     size_t end);

/* A formula that gives the target, without a sum if there is one; of the wrong numbers
 * only, or of all. */
bool formula_find(const Wrong *w, const Readings *all, const double *target,
                  bool only_wrong, Formula *f);

#endif
