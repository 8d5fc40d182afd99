/* Exercise 05/dropout. The contract is in chapters/05-residual-blocks/dropout.h;
 * random_at is in common/math/random.h. */
#include "05-residual-blocks/dropout.h"

#include "base/error.h"

void dropout_forward(float *out, const float *x, size_t n, float p,
                     const Random *random) {
    EXERCISE_TODO("05/dropout");
}

void dropout_backward(float *dx, const float *dout, size_t n, float p,
                      const Random *random) {
    EXERCISE_TODO("05/dropout");
}
