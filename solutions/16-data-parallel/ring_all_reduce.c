/* Sums of all ranks, around a ring. Before you read on: make hint-16
 * EX=ring_all_reduce */
#include "16-data-parallel/ring_all_reduce.h"

#include "16-data-parallel/shard.h"

typedef struct {
    float *data;
    int n; /* floats: MPI counts in int */
} Piece;

static Piece piece_of(const Ranks *ranks, float *x, size_t n, size_t k) {
    size_t begin = shard_batches(n, k % ranks->n, ranks->n);
    size_t end = shard_batches(n, k % ranks->n + 1, ranks->n);
    return (Piece){x + begin, (int)(end - begin)};
}

/* One step of the ring: `out` leaves for the next rank, `in` comes from the one
 * before. */
static void pass_on(const Ranks *ranks, Piece out, Piece in) {
    int next = (int)((ranks->rank + 1) % ranks->n);
    int before = (int)((ranks->rank + ranks->n - 1) % ranks->n);
    MPI_Request requests[2];
    MPI_Irecv(in.data, in.n, MPI_FLOAT, before, 0, ranks->comm, &requests[0]);
    MPI_Isend(out.data, out.n, MPI_FLOAT, next, 0, ranks->comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* In step s rank r sends piece r - s; P is added so that no number is below 0. */
void ring_reduce_scatter(const Ranks *ranks, float *x, size_t n, float *room) {
    for (size_t step = 0; step + 1 < ranks->n; step++) {
        size_t k = ranks->rank + ranks->n - step;
        Piece sum = piece_of(ranks, x, n, k - 1);
        pass_on(ranks, piece_of(ranks, x, n, k), (Piece){room, sum.n});
        for (int i = 0; i < sum.n; i++) sum.data[i] += room[i];
    }
}

void ring_all_gather(const Ranks *ranks, float *x, size_t n) {
    for (size_t step = 0; step + 1 < ranks->n; step++) {
        size_t k = ranks->rank + 1 + ranks->n - step;
        pass_on(ranks, piece_of(ranks, x, n, k), piece_of(ranks, x, n, k - 1));
    }
}

void ring_all_reduce(const Ranks *ranks, float *x, size_t n, float *room) {
    ring_reduce_scatter(ranks, x, n, room);
    ring_all_gather(ranks, x, n);
}
