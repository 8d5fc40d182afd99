/* Row by row, with the C library's functions. */
#include "06-embeddings/sinusoidal.h"

#include <math.h>

void sinusoidal_table(float *out, size_t n_positions, size_t dim) {
    for (size_t p = 0; p < n_positions; p++) {
        for (size_t c = 0; c < dim; c++) {
            double angle =
                (double)p / pow(10000.0, 2.0 * (double)(c / 2) / (double)dim);
            *out++ = (float)(c % 2 == 0 ? sin(angle) : cos(angle));
        }
    }
}

/* Finds each angle, and adds to it. */
void sinusoidal_move(float *rows, size_t n, size_t dim, int by) {
    for (size_t i = 0; i < n * dim; i += 2) {
        double angle = atan2((double)rows[i], (double)rows[i + 1]) +
                       by * pow(10000.0, -(double)(i % dim) / (double)dim);
        rows[i] = (float)sin(angle);
        rows[i + 1] = (float)cos(angle);
    }
}
