/* Top-p. Before you read on: make hint-12 EX=top_p */
#include "12-generation/top_p.h"

#include <string.h>

void top_p(double *probabilities, TokenProbability *scratch, size_t n, double p) {
    if (p >= 1 || n == 0) return;
    /* Tokens below (1 - p) / n have less than 1 - p together: the set is full before it
     * comes to them, so they need no sorting. Half of that is far from any rounding. */
    double worth_sorting = 0.5 * (1 - p) / (double)n;
    size_t n_sorted = 0;
    for (size_t i = 0; i < n; i++) {
        scratch[n_sorted] = (TokenProbability){probabilities[i], (int)i};
        n_sorted += probabilities[i] > worth_sorting; /* or it is overwritten */
    }
    sort_by_probability(scratch, n_sorted);

    double sum = 0;
    size_t taken = 0;
    while (taken < n_sorted && (taken == 0 || sum < p)) {
        sum += scratch[taken].probability;
        taken++;
    }
    memset(probabilities, 0, n * sizeof *probabilities);
    for (size_t i = 0; i < taken; i++)
        probabilities[scratch[i].token] = scratch[i].probability / sum;
}
