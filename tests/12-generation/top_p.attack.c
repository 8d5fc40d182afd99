/* An attack on 12/top_p: probabilities that are sums of halves, so that a sum is p
 * exactly; equal ones; p = 0 and p = 1; and so many tokens that a sum in float goes
 * wrong. */
#include "12-generation/top_p.h"

#include <math.h>

#include "check/check.h"
#include "base/memory.h"

enum { N = 5, MANY = 100000 };

static void check_p(double p, const double *right) {
    double got[N] = {0.125, 0.5, 0.125, 0.25, 1e-20};
    TokenProbability scratch[N];
    top_p(got, scratch, N, p);
    for (size_t i = 0; i < N; i++)
        CHECK(fabs(got[i] - right[i]) <= 1e-15 * right[i],
              "p = %g: token %zu has %g, expected %g", p, i, got[i], right[i]);
}

Test(attack, sets) {
    check_p(0, (double[]){0, 1, 0, 0, 0});
    check_p(0.6, (double[]){0, 2.0 / 3, 0, 1.0 / 3, 0});
    check_p(0.75, (double[]){0, 2.0 / 3, 0, 1.0 / 3, 0});
    check_p(0.75 + 1e-12, (double[]){1.0 / 7, 4.0 / 7, 0, 2.0 / 7, 0});
    check_p(0.8, (double[]){1.0 / 7, 4.0 / 7, 0, 2.0 / 7, 0});
    check_p(1, (double[]){0.125, 0.5, 0.125, 0.25, 1e-20});
}

Test(attack, many_tokens) {
    double *probabilities = checked_alloc(MANY, sizeof *probabilities);
    TokenProbability *scratch = checked_alloc(MANY, sizeof *scratch);
    for (size_t i = 0; i < MANY; i++) probabilities[i] = 1.0 / MANY;
    top_p(probabilities, scratch, MANY, 0.9 + 0.5 / MANY);
    size_t kept = 0;
    for (size_t i = 0; i < MANY; i++) kept += probabilities[i] > 0;
    CHECK(kept == 90001, "%zu tokens are kept, expected 90001", kept);
}
