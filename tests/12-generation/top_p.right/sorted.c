/* Sorts all of them, and sets to 0 what stands behind those taken. */
#include "12-generation/top_p.h"

#include <stdlib.h>

static int order(const void *a, const void *b) {
    const TokenProbability *x = a, *y = b;
    if (x->probability > y->probability) return -1;
    if (x->probability < y->probability) return 1;
    return x->token - y->token;
}

void top_p(double *probabilities, TokenProbability *scratch, size_t n, double p) {
    if (n == 0 || p >= 1.0) return;
    for (size_t i = 0; i < n; i++) {
        scratch[i].probability = probabilities[i];
        scratch[i].token = (int)i;
    }
    qsort(scratch, n, sizeof *scratch, order);
    double sum = scratch[0].probability;
    size_t taken = 1;
    for (; taken < n && sum < p; taken++) sum += scratch[taken].probability;
    for (size_t i = 0; i < taken; i++) probabilities[scratch[i].token] /= sum;
    for (size_t i = taken; i < n; i++) probabilities[scratch[i].token] = 0;
}
