/* Exercise 06/sinusoidal. The contract is in chapters/06-embeddings/sinusoidal.h, the
 * formula of the table in the lesson. */
#include "06-embeddings/sinusoidal.h"

#include "base/error.h"
#include "math/fmath.h"

void sinusoidal_table(float *out, size_t n_positions, size_t dim) {
    EXERCISE_TODO("06/sinusoidal");
}

void sinusoidal_move(float *rows, size_t n, size_t dim, int by) {
    EXERCISE_TODO("06/sinusoidal");
}
