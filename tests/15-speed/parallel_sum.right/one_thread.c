/* Without threads: what the contract says, word for word. */
#include "15-speed/parallel_sum.h"

double parallel_sum(const float *x, size_t n) {
    double total = 0, chunk = 0;
    for (size_t i = 0; i < n; i++) {
        chunk += (double)x[i];
        if ((i + 1) % SUM_CHUNK == 0 || i + 1 == n) {
            total += chunk;
            chunk = 0;
        }
    }
    return total;
}
