/* Open problem 18/long_context. The rules are in
 * chapters/18-llama/problems/long_context.h. */
#include "18-llama/problems/long_context.h"

#include "program/problem.h"

void long_context(float *frequencies, size_t n_pairs, size_t trained, size_t wanted) {
    PROBLEM_TODO("18/long_context");
}
