/* Exercise 14/rbe_fit. The contract is in chapters/14-compression/rbe_fit.h;
 * rbe_basis.c is given. */
#include "14-compression/rbe_fit.h"

#include "base/error.h"

void rbe_fit(float alpha[RBE_FUNCTIONS], const float *x, const double *phi, size_t n) {
    EXERCISE_TODO("14/rbe_fit");
}

void rbe_add(float *out, const float *rest, const float alpha[RBE_FUNCTIONS],
             const double *phi, size_t n) {
    EXERCISE_TODO("14/rbe_fit");
}
