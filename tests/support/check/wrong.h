/* Shared by the explain_*.c: the wrong numbers, and a claim about them that is checked.
 * Each describe_... tries its descriptions in turn and is true once one of them
 * explains the numbers. */
#ifndef TESTS_WRONG_H
#define TESTS_WRONG_H

#include <stdbool.h>
#include <stddef.h>

#include "explain/explain.h"
#include "check/known.h"

enum { WORDS = 300 };

typedef struct {
    const double *got, *expected;
    size_t n, *wrong, n_wrong; /* the indices of the wrong ones */
    bool *is_wrong;
    double largest; /* finite magnitude that is expected */
    double tolerance, start;
    Axis axes[MAX_AXES];             /* without known axes: one, of n elements */
    size_t labels[MAX_AXES], n_axes; /* their numbers in known_facts(); UNKNOWN_AXIS */
    double *predicted; /* scratch for n numbers, beside what a describe_... has */
    Explanation *explanation;
} Wrong;

#define UNKNOWN_AXIS ((size_t)-1)

/* The index along axis k of element i. */
size_t index_along(const Wrong *w, size_t i, size_t k);

/* The first index along axis k as it is written: mostly 0. */
size_t first_along(const Wrong *w, size_t k);

/* Element i as "row 2, column 3"; without known axes as "3". */
void element_in_words(const Wrong *w, size_t i, char words[WORDS]);

/* The largest finite magnitude among those of the n numbers that are wrong; at least
 * `least`. */
double largest_wrong(const Wrong *w, const double *x, double least);

/* True, and explained by the words (a predicate: "is 0", "lacks the factor gain"), if
 * `predicted` gives all wrong numbers, and these are more than `parameters`. NaN in it:
 * no statement about this element. */
bool explains(Wrong *w, const double *predicted, double parameters, const char *format,
              ...) __attribute__((format(printf, 4, 5)));

/* Whether `predicted` gives the right numbers, too. */
bool holds_everywhere(const Wrong *w, const double *predicted);

/* Where the wrong numbers are: "only column 5, the last, is wrong". False: all over the
 * place. */
bool where_wrong(const Wrong *w, char words[WORDS]);

/* The same of any set of elements, without a verb: "row 0", "columns 3 to 7". */
bool where(const Wrong *w, const bool *set, char words[WORDS]);

/* The same by a known array: "where x is 3 or more". */
bool where_by_input(const Wrong *w, const bool *set, char words[WORDS]);

/* Numbers that are off by little more than what is allowed. */
bool nearly_right(const Wrong *w, char words[WORDS]);

/* "dim", "sqrt(dim)", "rows * dim": what a number is in terms of the sizes and numbers
 * that are known; NULL: nothing. Until the next call. */
const char *number_in_words(double value, double tolerance);

/* The same, but nothing that is made of them: what is added by mistake is no 1 - x. */
const char *number_itself(double value, double tolerance);

/* A known array over the axes of what is compared, in new memory; NULL if it has
 * another axis. */
double *spread(const Wrong *w, const Known *known);

bool describe_not_finite(Wrong *w); /* explain_finite.c */
bool describe_whole(Wrong *w); /* explain_whole.c: a factor, a constant, a function of
                                  the right number */
/* explain_places.c: shifted, transposed, one row for all */
bool describe_places(Wrong *w);
/* explain_known.c: another array, a factor or a term more or less */
bool describe_by_known(Wrong *w);
bool describe_sums(Wrong *w);  /* explain_sums.c: products and sums of known arrays, and
                                  parts of the right sum */
bool describe_lines(Wrong *w); /* explain_lines.c: one factor or constant a row or a
                                  column; sums of rows */

#endif
