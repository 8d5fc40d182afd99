/* A sine and a cosine at a time; an odd width has a sine without one. */
#include "06-embeddings/sinusoidal.h"

#include "math/fmath.h"

void sinusoidal_table(float *out, size_t n_positions, size_t dim) {
    for (size_t pair = 0; 2 * pair < dim; pair++) {
        double slowness =
            exp_double(2.0 * (double)pair / (double)dim * log_double(10000.0));
        for (size_t p = 0; p < n_positions; p++) {
            float *at = out + p * dim + 2 * pair;
            at[0] = (float)sin_double((double)p / slowness);
            if (2 * pair + 1 < dim) at[1] = (float)cos_double((double)p / slowness);
        }
    }
}
