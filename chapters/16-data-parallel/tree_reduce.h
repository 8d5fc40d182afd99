/* Exercise 16/tree_reduce: sums whose order does not depend on the rank that adds. */
#ifndef CHAPTER_16_TREE_REDUCE_H
#define CHAPTER_16_TREE_REDUCE_H

#include <stddef.h>

/* The sum of the gradients of micro-batches first .. first + count - 1. */
//> part
typedef struct {
    size_t first, count;
    float *sum;
} Part;
//< part

/* The tree over micro-batches 0 .. n_leaves - 1: on level k, node j is the sum of
 * leaves j 2^k .. (j + 1) 2^k - 1, and it is made of its two children, left + right.
 * Leaves from n_leaves on do not exist; a node whose right child has none is its left
 * child.
 *
 * parts [n_parts] lie side by side, in order of `first`, and each is a node.
 * tree_reduce adds every two that are the children of one node, left.sum[i] +=
 * right.sum[i] for i < size, takes the right one out of the list, and goes on until
 * there are no such two. It returns how many parts are left: 1 when all leaves were
 * there. The numbers of a right part stay as they are. size may be 0: then only the
 * list changes. */
//> signature
size_t tree_reduce(Part *parts, size_t n_parts, size_t n_leaves, size_t size);
//< signature

#endif
