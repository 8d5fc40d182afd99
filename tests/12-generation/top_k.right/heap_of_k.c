/* A heap of the k largest so far, whose smallest is on top. */
#include "12-generation/top_k.h"

#include <math.h>

static void sink(double *heap, size_t n, size_t at) {
    for (size_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && heap[child + 1] < heap[child]) child++;
        if (heap[at] <= heap[child]) return;
        double moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
        at = child;
    }
}

void top_k(double *scores, double *scratch, size_t n, size_t k) {
    if (k == 0 || k >= n) return;
    for (size_t i = 0; i < k; i++) scratch[i] = scores[i];
    for (size_t i = k; i-- > 0;) sink(scratch, k, i);
    for (size_t i = k; i < n; i++) {
        if (scores[i] <= scratch[0]) continue;
        scratch[0] = scores[i];
        sink(scratch, k, 0);
    }
    for (size_t i = 0; i < n; i++)
        if (scores[i] < scratch[0]) scores[i] = -INFINITY;
}
