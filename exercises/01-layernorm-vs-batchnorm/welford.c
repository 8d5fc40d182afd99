/* Exercise 01/welford. The contract is in
 * chapters/01-layernorm-vs-batchnorm/welford.h. */
#include "01-layernorm-vs-batchnorm/welford.h"

#include <math.h>

#include "base/error.h"

void welford_update(WelfordStats *s, float x) {
    EXERCISE_TODO("01/welford");
}

void welford_merge(WelfordStats *s, const WelfordStats *other) {
    EXERCISE_TODO("01/welford");
}

float welford_variance(const WelfordStats *s, bool unbiased) {
    EXERCISE_TODO("01/welford");
}
