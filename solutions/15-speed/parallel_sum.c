/* A sum that threads share. Before you read on: make hint-15 EX=parallel_sum */
#include "15-speed/parallel_sum.h"

#include <stdlib.h>

#include "base/memory.h"

double parallel_sum(const float *x, size_t n) {
    size_t chunks = n / SUM_CHUNK + (n % SUM_CHUNK > 0);
    double *sums = checked_alloc(chunks, sizeof *sums), total = 0;
#pragma omp parallel for
    for (size_t c = 0; c < chunks; c++) {
        size_t begin = c * SUM_CHUNK, end = c + 1 < chunks ? begin + SUM_CHUNK : n;
        double sum = 0;
        for (size_t i = begin; i < end; i++) sum += (double)x[i];
        sums[c] = sum;
    }
    for (size_t c = 0; c < chunks; c++) total += sums[c];
    free(sums);
    return total;
}
