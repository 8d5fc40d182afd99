/* Exercise 04/swiglu. The contract is in chapters/04-ffn-swiglu/swiglu.h; its sibling
 * glu.c is given. Take sigmoid_float from common/math/fmath.h. */
#include "04-ffn-swiglu/swiglu.h"

#include "base/error.h"
#include "math/fmath.h"

void swiglu_forward(float *out, const float *gate, const float *up, size_t n) {
    EXERCISE_TODO("04/swiglu");
}

void swiglu_backward(float *dgate, float *dup, const float *dout, const float *gate,
                     const float *up, size_t n) {
    EXERCISE_TODO("04/swiglu");
}
