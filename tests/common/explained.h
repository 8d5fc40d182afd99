/* Explains a comparison of which all numbers are known. */
#ifndef TESTS_EXPLAINED_H
#define TESTS_EXPLAINED_H

#include "explain/explain.h"

static inline Explanation explained(const char *what, const double *got,
                                    const double *expected, size_t n,
                                    double tolerance) {
    Explanation e;
    explain(&e, &(Comparison){.what = what,
                              .got = got,
                              .expected = expected,
                              .n = n,
                              .tolerance = tolerance});
    return e;
}

#endif
