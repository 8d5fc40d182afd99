/* Exercise 12/top_p. The contract is in chapters/12-generation/top_p.h. */
#include "12-generation/top_p.h"

#include "base/error.h"

void top_p(double *probabilities, TokenProbability *scratch, size_t n, double p) {
    EXERCISE_TODO("12/top_p");
}
