/* Top-k. Before you read on: make hint-12 EX=top_k */
#include "12-generation/top_k.h"

#include <math.h>
#include <string.h>

/* The k-th largest of x [n], 1 <= k <= n, by quickselect (Hoare 1961): split around a
 * pivot, go on in the part that holds place k. x is reordered. Takes a number of steps
 * that grows with n, where sorting takes n log n. */
static double kth_largest(double *x, size_t n, size_t k) {
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, place = (ptrdiff_t)k - 1;
    while (low < high) {
        double pivot = x[place];
        ptrdiff_t i = low, j = high;
        do {
            while (x[i] > pivot) i++;
            while (x[j] < pivot) j--;
            if (i <= j) {
                double swapped = x[i];
                x[i++] = x[j];
                x[j--] = swapped;
            }
        } while (i <= j);
        if (j < place) low = i;
        if (place < i) high = j;
    }
    return x[place];
}

void top_k(double *scores, double *scratch, size_t n, size_t k) {
    if (k == 0 || k >= n) return;
    memcpy(scratch, scores, n * sizeof *scores);
    double smallest_kept = kth_largest(scratch, n, k);
    for (size_t i = 0; i < n; i++) {
        if (scores[i] < smallest_kept) scores[i] = -INFINITY;
    }
}
