/* Open problem 12/speculate. The rules are in
 * chapters/12-generation/problems/speculate.h. */
#include "12-generation/problems/speculate.h"

#include "12-generation/sampling.h"
#include "program/problem.h"

/* Right, and no use: the proposal is ignored. */
int speculate(const double *target, const double *draft, size_t n, int proposed,
              double u, double v) {
    PROBLEM_TODO("12/speculate");
    return sampling_draw(target, n, u);
}
