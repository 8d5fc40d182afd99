/* Exercise 14/q8_0. The contract is in chapters/14-compression/q8_0.h. */
#include "14-compression/q8_0.h"

#include <math.h>

#include "base/error.h"
#include "math/half.h"

void q8_0_encode(BlockQ8_0 *block, const float x[BLOCK]) {
    EXERCISE_TODO("14/q8_0");
}

void q8_0_decode(float x[BLOCK], const BlockQ8_0 *block) {
    EXERCISE_TODO("14/q8_0");
}
