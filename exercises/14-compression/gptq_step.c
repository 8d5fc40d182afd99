/* Exercise 14/gptq_step. The contract is in chapters/14-compression/gptq_step.h. */
#include "14-compression/gptq_step.h"

#include "base/error.h"

void gptq_step(float *w, size_t j, float rounded, const float *u, size_t cols) {
    EXERCISE_TODO("14/gptq_step");
}
