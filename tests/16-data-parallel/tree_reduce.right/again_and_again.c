/* Looks through the whole list until nothing is left to add. The sibling of a part is
 * found by the level: the number of leaves of the node on it, cut off at n_leaves. */
#include "16-data-parallel/tree_reduce.h"

static size_t level_end(size_t begin, size_t leaves, size_t n_leaves) {
    return begin + leaves < n_leaves ? begin + leaves : n_leaves;
}

static int fit(Part a, Part b, size_t n_leaves) {
    for (size_t leaves = 1; leaves < n_leaves; leaves *= 2) {
        if (a.count != leaves || a.first % (2 * leaves)) continue;
        return b.first == a.first + leaves &&
               b.first + b.count == level_end(b.first, leaves, n_leaves);
    }
    return 0;
}

size_t tree_reduce(Part *parts, size_t n_parts, size_t n_leaves, size_t size) {
    for (size_t at = 0; at + 1 < n_parts;) {
        if (!fit(parts[at], parts[at + 1], n_leaves)) {
            at++;
            continue;
        }
        for (size_t i = 0; i < size; i++)
            parts[at].sum[i] = parts[at].sum[i] + parts[at + 1].sum[i];
        parts[at].count += parts[at + 1].count;
        for (size_t j = at + 1; j + 1 < n_parts; j++) parts[j] = parts[j + 1];
        n_parts--;
        at = 0;
    }
    return n_parts;
}
