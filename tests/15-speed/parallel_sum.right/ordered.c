/* Threads wait for their turn to add. */
#include "15-speed/parallel_sum.h"

double parallel_sum(const float *x, size_t n) {
    double total = 0;
    size_t chunks = n / SUM_CHUNK + (n % SUM_CHUNK > 0);
#pragma omp parallel for ordered schedule(static, 1)
    for (size_t c = 0; c < chunks; c++) {
        double sum = 0;
        for (size_t i = c * SUM_CHUNK; i < n && i < (c + 1) * SUM_CHUNK; i++)
            sum += (double)x[i];
#pragma omp ordered
        total += sum;
    }
    return total;
}
