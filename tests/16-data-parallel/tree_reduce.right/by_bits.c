/* By the bits of the first number: a left child of 2^k leaves has bit k at 0 and all
 * lower ones, too. */
#include "16-data-parallel/tree_reduce.h"

size_t tree_reduce(Part *parts, size_t n_parts, size_t n_leaves, size_t size) {
    size_t top = 0;
    for (size_t k = 0; k < n_parts; k++) {
        parts[top++] = parts[k];
        while (top >= 2) {
            Part *a = parts + top - 2, *b = parts + top - 1;
            size_t end = b->first + b->count;
            if (a->first & a->count ||
                (end != a->first + a->count + a->count && end != n_leaves))
                break;
            if (b->count > a->count) break;
            for (size_t i = size; i-- > 0;) a->sum[i] += b->sum[i];
            a->count = end - a->first;
            top--;
        }
    }
    return top;
}
