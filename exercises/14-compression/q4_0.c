/* Exercise 14/q4_0. The contract is in chapters/14-compression/q4_0.h; the encoder is
 * given in round.c. */
#include "14-compression/q4_0.h"

#include <math.h>

#include "base/error.h"
#include "math/half.h"

void q4_0_matvec(float *out, const float *x, const BlockQ4_0 *blocks, size_t rows,
                 size_t cols) {
    EXERCISE_TODO("14/q4_0");
}
