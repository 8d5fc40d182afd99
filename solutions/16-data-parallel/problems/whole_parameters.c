/* Whole parameters, shared out: the largest first, each to the rank that has least
 * (Graham 1969). */
#include "16-data-parallel/problems/whole_parameters.h"

#include <stdlib.h>

#include "base/memory.h"

static size_t largest_without_owner(const size_t *owner, const size_t *sizes, size_t n,
                                    size_t none) {
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (owner[i] == none && (best == n || sizes[i] > sizes[best])) best = i;
    }
    return best;
}

void whole_parameters(size_t *owner, const size_t *sizes, size_t n, size_t n_ranks) {
    size_t *shares = checked_alloc(n_ranks, sizeof *shares);
    for (size_t i = 0; i < n; i++) owner[i] = n_ranks;
    for (size_t k = 0; k < n; k++) {
        size_t i = largest_without_owner(owner, sizes, n, n_ranks), least = 0;
        for (size_t r = 1; r < n_ranks; r++) {
            if (shares[r] < shares[least]) least = r;
        }
        owner[i] = least;
        shares[least] += sizes[i];
    }
    free(shares);
}
