/* Exercise 06/sinusoidal. The contract, with the formula, is in
 * chapters/06-embeddings/sinusoidal.h. */
#include "06-embeddings/sinusoidal.h"

#include "base/error.h"
#include "math/fmath.h"

void sinusoidal_table(float *out, size_t n_positions, size_t dim) {
    EXERCISE_TODO("06/sinusoidal");
}
