/* The channels that weigh most, and an estimate of the others. Before you read on: make
 * hint-03 P=few_reads */
#include "03-rmsnorm/problems/few_reads.h"

#include <math.h>
#include <stdbool.h>

/* The sum of squares of channel i over the examples. */
static double energy(const float *examples, size_t n, size_t i) {
    double sum = 0;
    for (size_t r = 0; r < n; r++) {
        double x = (double)examples[r * ROW_LENGTH + i];
        sum += x * x;
    }
    return sum;
}

float few_reads(Row *row, const float *examples, size_t n) {
    double energies[ROW_LENGTH], all = 0, read = 0, squares = 0;
    bool taken[ROW_LENGTH] = {false};
    for (size_t i = 0; i < ROW_LENGTH; i++) all += energies[i] = energy(examples, n, i);
    for (size_t k = 0; k < FEW_READS; k++) {
        size_t best = 0;
        while (taken[best]) best++;
        for (size_t i = best; i < ROW_LENGTH; i++)
            best = !taken[i] && energies[i] > energies[best] ? i : best;
        taken[best] = true;
        double x = (double)row_read(row, best);
        read += energies[best];
        squares += x * x;
    }
    return (float)sqrt(squares * all / read / ROW_LENGTH);
}
