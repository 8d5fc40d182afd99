/* Exercise 18/gqa_step. The contract is in chapters/18-llama/gqa_step.h. */
#include "18-llama/gqa_step.h"

#include <math.h>

#include "base/error.h"
#include "kernels/matmul.h"
#include "kernels/softmax.h"

void gqa_step(float *out, float *scratch, const float *q, const float *keys,
              const float *values, const GroupShape *shape) {
    EXERCISE_TODO("18/gqa_step");
}
