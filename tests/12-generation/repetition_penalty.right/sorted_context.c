/* In a sorted copy of the context equal tokens are neighbours. */
#include "12-generation/repetition_penalty.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

void repetition_penalty(double *scores, const int *context, size_t n_context,
                        double penalty) {
    if (n_context == 0) return;
    int *sorted = checked_alloc(n_context, sizeof *sorted);
    memcpy(sorted, context, n_context * sizeof *sorted);
    qsort(sorted, n_context, sizeof *sorted, by_number);
    for (size_t i = 0; i < n_context; i++) {
        if (i > 0 && sorted[i] == sorted[i - 1]) continue;
        double score = scores[sorted[i]];
        scores[sorted[i]] = score < 0 ? score * penalty : score / penalty;
    }
    free(sorted);
}
