/* Sinusoidal positions. Before you read on: make hint-06 EX=sinusoidal */
#include "06-embeddings/sinusoidal.h"

#include "math/fmath.h"

/* Of the pair that begins at column `even`: radians by which one position turns it. */
static double frequency_of(size_t even, size_t dim) {
    return exp_double(-log_double(10000.0) * (double)even / (double)dim);
}

void sinusoidal_table(float *out, size_t n_positions, size_t dim) {
    for (size_t c = 0; c < dim; c++) {
        /* a sine and the cosine behind it share one frequency */
        size_t even = c - c % 2;
        double frequency = frequency_of(even, dim);
        for (size_t p = 0; p < n_positions; p++) {
            double angle = (double)p * frequency;
            out[p * dim + c] = (float)(c % 2 ? cos_double(angle) : sin_double(angle));
        }
    }
}

void sinusoidal_move(float *rows, size_t n, size_t dim, int by) {
    for (size_t even = 0; even + 1 < dim; even += 2) {
        double turn = (double)by * frequency_of(even, dim);
        double sine = sin_double(turn), cosine = cos_double(turn);
        for (size_t r = 0; r < n; r++) {
            float *pair = rows + r * dim + even;
            double s = (double)pair[0], c = (double)pair[1];
            pair[0] = (float)(s * cosine + c * sine);
            pair[1] = (float)(c * cosine - s * sine);
        }
    }
}
