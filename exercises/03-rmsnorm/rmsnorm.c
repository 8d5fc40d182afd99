/* Exercise 03/rmsnorm. The contract, with the formulas, is in
 * chapters/03-rmsnorm/rmsnorm.h. */
#include "03-rmsnorm/rmsnorm.h"

#include <math.h>

#include "base/error.h"

void rmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                     size_t rows, size_t dim, float eps) {
    EXERCISE_TODO("03/rmsnorm");
}

void rmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                      const float *rrms, const float *gain, size_t rows, size_t dim) {
    EXERCISE_TODO("03/rmsnorm");
}
