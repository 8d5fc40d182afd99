/* Open problem 00/small_state. The rules are in
 * chapters/00-tensors/problems/small_state.h. */
#include "00-tensors/problems/small_state.h"

#include "program/problem.h"

void small_state(float *param, const float *grad, size_t n, void *state, size_t step) {
    PROBLEM_TODO("00/small_state");
    for (size_t i = 0; i < n; i++) param[i] -= 0.05f * grad[i];
}
