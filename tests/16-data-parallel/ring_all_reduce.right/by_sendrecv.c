/* MPI_Sendrecv, which sends and receives at once; skips pieces that are empty; counts
 * pieces down by one instead of computing each anew. */
#include "16-data-parallel/ring_all_reduce.h"

#include "16-data-parallel/shard.h"

static float *begin_of(const Ranks *ranks, float *x, size_t n, size_t k) {
    return x + shard_batches(n, k, ranks->n);
}

static int size_of(const Ranks *ranks, size_t n, size_t k) {
    return (int)(shard_batches(n, k + 1, ranks->n) - shard_batches(n, k, ranks->n));
}

static size_t before(const Ranks *ranks, size_t k) {
    return k ? k - 1 : ranks->n - 1;
}

static size_t go_round(const Ranks *ranks, float *x, size_t n, size_t out,
                       float *room) {
    for (size_t left = ranks->n - 1; left > 0; left--) {
        size_t in = before(ranks, out);
        float *here = begin_of(ranks, x, n, in);
        MPI_Sendrecv(begin_of(ranks, x, n, out), size_of(ranks, n, out), MPI_FLOAT,
                     (int)((ranks->rank + 1) % ranks->n), 7, room ? room : here,
                     size_of(ranks, n, in), MPI_FLOAT, (int)before(ranks, ranks->rank),
                     7, ranks->comm, MPI_STATUS_IGNORE);
        for (int i = 0; room && i < size_of(ranks, n, in); i++)
            here[i] = room[i] + here[i];
        out = in;
    }
    return out;
}

void ring_reduce_scatter(const Ranks *ranks, float *x, size_t n, float *room) {
    go_round(ranks, x, n, ranks->rank, room);
}

void ring_all_gather(const Ranks *ranks, float *x, size_t n) {
    go_round(ranks, x, n, (ranks->rank + 1) % ranks->n, NULL);
}

void ring_all_reduce(const Ranks *ranks, float *x, size_t n, float *room) {
    go_round(ranks, x, n, go_round(ranks, x, n, ranks->rank, room), NULL);
}
