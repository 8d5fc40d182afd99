/* Sorts all of them. */
#include "12-generation/top_k.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int largest_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void top_k(double *scores, double *scratch, size_t n, size_t k) {
    if (k < 1 || k > n) return;
    memcpy(scratch, scores, n * sizeof *scratch);
    qsort(scratch, n, sizeof *scratch, largest_first);
    for (size_t i = 0; i < n; i++)
        scores[i] = scores[i] >= scratch[k - 1] ? scores[i] : -INFINITY;
}
