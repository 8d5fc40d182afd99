/* Deals out what is left to the ranks that are left, from the first on. */
#include "16-data-parallel/shard.h"

size_t shard_batches(size_t n, size_t rank, size_t n_ranks) {
    size_t quotient = n / n_ranks, begin = quotient * rank;
    for (size_t r = 0; r < rank; r++) begin += r < n % n_ranks;
    return begin;
}

size_t shard_rows(const size_t *starts, size_t n_rows, size_t rank, size_t n_ranks) {
    size_t floats = shard_batches(starts[n_rows] - *starts, rank, n_ranks);
    for (size_t row = 0; row < n_rows && rank < n_ranks; row++)
        if (starts[row] - *starts >= floats) return row;
    return n_rows;
}
