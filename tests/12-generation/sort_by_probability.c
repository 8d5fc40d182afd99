/* Tests of sort_by_probability: the order that a sort by comparisons gives, for all
 * kinds of probabilities. */
#include "12-generation/sort_by_probability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"
#include "math/random.h"

static int compare_tokens(const void *a, const void *b) {
    const TokenProbability *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    return x->token < y->token ? -1 : 1;
}

static void check_order(const char *what, const double *probabilities, size_t n) {
    TokenProbability *got = checked_alloc(n, sizeof *got),
                     *right = checked_alloc(n, sizeof *right);
    for (size_t i = 0; i < n; i++) {
        right[i] = (TokenProbability){probabilities[i], (int)i};
        got[i] = right[i];
    }
    sort_by_probability(got, n);
    qsort(right, n, sizeof *right, compare_tokens);
    for (size_t i = 0; i < n; i++)
        CHECK(got[i].token == right[i].token,
              "%s, %zu tokens: place %zu is token %d, expected %d", what, n, i,
              got[i].token, right[i].token);
    free(got);
    free(right);
}

enum { MOST = 50257 };
static const size_t sizes[] = {0, 1, 2, 16, 17, 1000, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* exp of normal numbers: nearly flat, as models give them, and far apart. */
Test(sort_by_probability, random_probabilities, .timeout = 60) {
    static double x[MOST];
    const double deviations[] = {1e-9, 0.01, 3, 100};
    for (size_t d = 0; d < 4; d++) {
        Random random = random_create(d);
        for (size_t i = 0; i < MOST; i++)
            x[i] = exp(deviations[d] * (double)random_normal(&random));
        for (size_t s = 0; s < SIZES; s++) check_order("random", x, sizes[s]);
    }
}

/* Nearly all in one range, which is cut again; equal ones, which cannot be; zeros. */
Test(sort_by_probability, lumps, .timeout = 60) {
    static double lumps[MOST], equal[MOST], steps[MOST], falling[MOST];
    Random random = random_create(1);
    for (size_t i = 0; i < MOST; i++) {
        lumps[i] = (i % 100 ? 1e-9 : 1) * (1 + 1e-12 * random_double(&random));
        equal[i] = 1.0 / MOST;
        steps[i] = (double)(i % 3);
        falling[i] = exp(-(double)i);
    }
    for (size_t s = 0; s < SIZES; s++) {
        check_order("lumps", lumps, sizes[s]);
        check_order("equal", equal, sizes[s]);
        check_order("steps", steps, sizes[s]);
        check_order("falling", falling, sizes[s]);
    }
}
