/* Exercise 14/q8_dot. The contract is in chapters/14-compression/q8_dot.h. */
#include "14-compression/q8_dot.h"

#include <math.h>

#include "base/error.h"
#include "math/half.h"

float q8_dot_q8_0(const BlockQ8_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    EXERCISE_TODO("14/q8_dot");
}

float q8_dot_q4_0(const BlockQ4_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    EXERCISE_TODO("14/q8_dot");
}
