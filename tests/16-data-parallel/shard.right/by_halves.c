/* Looks for the row by halves. */
#include "16-data-parallel/shard.h"

size_t shard_batches(size_t n, size_t rank, size_t n_ranks) {
    size_t large = n % n_ranks, share = n / n_ranks;
    if (rank <= large) return rank * (share + 1);
    return large * (share + 1) + (rank - large) * share;
}

size_t shard_rows(const size_t *starts, size_t n_rows, size_t rank, size_t n_ranks) {
    size_t begin = starts[0] + shard_batches(starts[n_rows] - starts[0], rank, n_ranks),
           low = rank < n_ranks ? 0 : n_rows, high = n_rows;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (starts[middle] < begin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
