/* Wrong numbers in words: the simplest description of them that a learner can act on.
 *
 * No list of mistakes is complete (Mistake in check.h). So where no listed one fits,
 * the numbers themselves are asked: are all of them 8 times too large, and 8 is dim? is
 * only the last column wrong? is it the transpose? does each row lack a multiple of x?
 * What may be asked for depends on what the test knows: see known.h.
 *
 * The descriptions are tried from simple to complex. One is claimed only if it gives
 * every wrong number, and if there are more wrong numbers than it has free parameters:
 * random numbers get none. */
#ifndef TESTS_EXPLAIN_H
#define TESTS_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

enum { EXPLANATION_BYTES = 700 };

typedef struct {
    const char *what; /* the name of what is compared: its shape is looked up by it */
    const double *got, *expected;
    size_t n;
    double tolerance; /* relative to the largest number, as in check.h */
    double start;     /* what the numbers were made of before a gradient was added; 0:
                         nothing was */
} Comparison;

typedef struct {
    bool pattern; /* false: `words` only say where the wrong numbers are */
    char words[EXPLANATION_BYTES];
} Explanation;

/* False if there is nothing to say. */
bool explain(Explanation *explanation, const Comparison *comparison);

/* Element i as "row 2, column 3", by the axes that the test knows, else as "3"; until
 * the next call. */
const char *place_in_words(const char *what, size_t n, size_t i);

#endif
