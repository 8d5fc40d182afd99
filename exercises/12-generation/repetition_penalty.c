/* Exercise 12/repetition_penalty. The contract is in
 * chapters/12-generation/repetition_penalty.h. */
#include "12-generation/repetition_penalty.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

void repetition_penalty(double *scores, const int *context, size_t n_context,
                        double penalty) {
    EXERCISE_TODO("12/repetition_penalty");
}
