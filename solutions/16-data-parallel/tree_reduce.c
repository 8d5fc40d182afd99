/* A sum with a fixed order. Before you read on: make hint-16 EX=tree_reduce */
#include "16-data-parallel/tree_reduce.h"

#include <stdbool.h>

/* The left child of a node on level k has 2^k leaves and begins at an even multiple of
 * 2^k. Its sibling has all leaves that there are of the next 2^k. */
static bool are_children(const Part *left, const Part *right, size_t n_leaves) {
    if (left->first / left->count % 2 != 0) return false;
    size_t end = left->first + 2 * left->count;
    return right->first + right->count == (end < n_leaves ? end : n_leaves);
}

size_t tree_reduce(Part *parts, size_t n_parts, size_t n_leaves, size_t size) {
    size_t n = 0;
    for (size_t next = 0; next < n_parts; next++) {
        parts[n++] = parts[next];
        while (n > 1 && are_children(&parts[n - 2], &parts[n - 1], n_leaves)) {
            Part *left = &parts[n - 2], *right = &parts[n - 1];
            for (size_t i = 0; i < size; i++) left->sum[i] += right->sum[i];
            left->count += right->count;
            n--;
        }
    }
    return n;
}
