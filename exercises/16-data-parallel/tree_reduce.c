/* Exercise 16/tree_reduce. The contract is in
 * chapters/16-data-parallel/tree_reduce.h. */
#include "16-data-parallel/tree_reduce.h"

#include "base/error.h"

size_t tree_reduce(Part *parts, size_t n_parts, size_t n_leaves, size_t size) {
    EXERCISE_TODO("16/tree_reduce");
}
