/* Exercise 00/adamw. The contract is in chapters/00-tensors/adamw.h. */
#include "00-tensors/adamw.h"

#include "base/error.h"
#include "math/fmath.h"

void adamw_update(float *param, float *m, float *v, const float *grad, size_t n,
                  const AdamWSettings *settings, size_t step) {
    EXERCISE_TODO("00/adamw");
}
