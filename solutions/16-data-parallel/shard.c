/* Each rank's micro-batches and rows. Before you read on: make hint-16 EX=shard */
#include "16-data-parallel/shard.h"

size_t shard_batches(size_t n, size_t rank, size_t n_ranks) {
    /* the first `more` ranks have one more */
    size_t each = n / n_ranks, more = n % n_ranks;
    return rank * each + (rank < more ? rank : more);
}

size_t shard_rows(const size_t *starts, size_t n_rows, size_t rank, size_t n_ranks) {
    if (rank == n_ranks) return n_rows; /* behind empty rows, too */
    size_t n = starts[n_rows] - starts[0];
    size_t begin = starts[0] + shard_batches(n, rank, n_ranks);
    size_t row = 0;
    while (row < n_rows && starts[row] < begin) row++;
    return row;
}
