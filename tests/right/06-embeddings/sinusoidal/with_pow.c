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
