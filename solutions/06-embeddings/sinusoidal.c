/* Sinusoidal positions. Before you read on: make hint-06 EX=sinusoidal */
#include "06-embeddings/sinusoidal.h"

#include "math/fmath.h"

void sinusoidal_table(float *out, size_t n_positions, size_t dim) {
    double log_base = log_double(10000.0);
    for (size_t c = 0; c < dim; c++) {
        /* a sine and the cosine behind it share one frequency */
        size_t even = c - c % 2;
        double frequency = exp_double(-log_base * (double)even / (double)dim);
        for (size_t p = 0; p < n_positions; p++) {
            double angle = (double)p * frequency;
            out[p * dim + c] = (float)(c % 2 ? cos_double(angle) : sin_double(angle));
        }
    }
}
