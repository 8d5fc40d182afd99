/* Exercise 15/parallel_sum. The contract is in chapters/15-speed/parallel_sum.h. */
#include "15-speed/parallel_sum.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

double parallel_sum(const float *x, size_t n) {
    EXERCISE_TODO("15/parallel_sum");
}
