/* The smallest first, and taken from behind. */
#include "12-generation/top_p.h"

#include <stdlib.h>

static int smallest_first(const void *a, const void *b) {
    const TokenProbability *x = a, *y = b;
    int larger = (x->probability > y->probability) - (x->probability < y->probability);
    return larger ? larger : y->token - x->token;
}

void top_p(double *probabilities, TokenProbability *scratch, size_t n, double p) {
    if (p >= 1 || n == 0) return;
    for (size_t i = 0; i < n; i++)
        scratch[i] = (TokenProbability){probabilities[i], (int)i};
    qsort(scratch, n, sizeof *scratch, smallest_first);
    double sum = 0;
    size_t rest = n;
    do {
        sum += scratch[--rest].probability;
    } while (rest > 0 && sum < p);
    for (size_t i = 0; i < n; i++)
        probabilities[scratch[i].token] = i < rest ? 0 : scratch[i].probability / sum;
}
