/* Speculative sampling (Leviathan et al. 2023; Chen et al. 2023). Before you read on:
 * make hint-12 P=speculate */
#include "12-generation/problems/speculate.h"

/* A token that the draft proposes too often is kept as often as the target wants it.
 * What was turned away is drawn anew where the draft proposes too seldom, in proportion
 * to what is missing there. */
int speculate(const double *target, const double *draft, size_t n, int proposed,
              double u, double v) {
    if (u * draft[proposed] < target[proposed]) return proposed;
    double missing = 0, sum = 0;
    int last = proposed;
    for (size_t i = 0; i < n; i++)
        missing += target[i] > draft[i] ? target[i] - draft[i] : 0;
    for (size_t i = 0; i < n && sum <= v * missing; i++) {
        if (target[i] > draft[i]) {
            sum += target[i] - draft[i];
            last = (int)i;
        }
    }
    return last;
}
