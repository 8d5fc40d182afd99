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

/* Row by row, each pair from a copy of the old one. */
void sinusoidal_move(float *rows, size_t n, size_t dim, int by) {
    for (size_t r = 0; r < n; r++) {
        float *row = rows + r * dim;
        for (size_t pair = 0; 2 * pair + 1 < dim; pair++) {
            double slowness =
                exp_double(2.0 * (double)pair / (double)dim * log_double(10000.0));
            double across = sin_double((double)by / slowness),
                   along = cos_double((double)by / slowness);
            double old[2] = {(double)row[2 * pair], (double)row[2 * pair + 1]};
            row[2 * pair] = (float)(old[1] * across + old[0] * along);
            row[2 * pair + 1] = (float)(old[1] * along - old[0] * across);
        }
    }
}
