/* Top-k. Before you read on: make hint-12 EX=top_k */
#include "12-generation/top_k.h"

#include <math.h>
#include <string.h>

/* Brings what is at least `bound` to the front of x [n] and returns how many that are.
 * Without a branch on x, which a processor would guess wrongly half of the time. */
static size_t to_front(double *x, size_t n, double bound) {
    size_t n_front = 0;
    for (size_t i = 0; i < n; i++) {
        double moved = x[i];
        x[i] = x[n_front];
        x[n_front] = moved;
        n_front += moved >= bound;
    }
    return n_front;
}

/* The k-th largest of x [n], 1 <= k <= n, by quickselect (Hoare 1961): split around a
 * pivot, go on in the part that holds place k. x is reordered. Takes a number of steps
 * that grows with n, where sorting takes n log n. */
static double kth_largest(double *x, size_t n, size_t k) {
    for (;;) {
        double pivot = x[n / 2];
        size_t at_least = to_front(x, n, pivot);
        if (k > at_least) {
            x += at_least;
            n -= at_least;
            k -= at_least;
        } else if (at_least < n) {
            n = at_least;
        } else { /* the pivot is the smallest: on without it and its equals */
            n = to_front(x, n, nextafter(pivot, INFINITY));
            if (k > n) return pivot;
        }
    }
}

void top_k(double *scores, double *scratch, size_t n, size_t k) {
    if (k == 0 || k >= n) return;
    memcpy(scratch, scores, n * sizeof *scores);
    double smallest_kept = kth_largest(scratch, n, k);
    for (size_t i = 0; i < n; i++) {
        if (scores[i] < smallest_kept) scores[i] = -INFINITY;
    }
}
