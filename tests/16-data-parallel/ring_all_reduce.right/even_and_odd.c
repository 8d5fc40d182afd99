/* Blocking calls: rank 0 sends first, the others receive first, so that the messages go
 * round one behind the other; in the gather a receive is open before, and its request
 * is tested until it is done. */
#include "16-data-parallel/ring_all_reduce.h"

#include "16-data-parallel/shard.h"

void ring_reduce_scatter(const Ranks *ranks, float *x, size_t n, float *room) {
    size_t p = ranks->n, me = ranks->rank, next = (me + 1) % p, last = (me + p - 1) % p;
    for (size_t s = 0; s + 1 < p; s++) {
        size_t out = (me + p - s) % p, in = (out + p - 1) % p;
        size_t o = shard_batches(n, out, p), i = shard_batches(n, in, p);
        int n_out = (int)(shard_batches(n, out + 1, p) - o);
        int n_in = (int)(shard_batches(n, in + 1, p) - i);
        if (me == 0) MPI_Send(x + o, n_out, MPI_FLOAT, (int)next, (int)s, ranks->comm);
        MPI_Recv(room, n_in, MPI_FLOAT, (int)last, (int)s, ranks->comm,
                 MPI_STATUS_IGNORE);
        if (me != 0) MPI_Ssend(x + o, n_out, MPI_FLOAT, (int)next, (int)s, ranks->comm);
        for (int j = 0; j < n_in; j++) x[i + (size_t)j] += room[j];
    }
}

void ring_all_gather(const Ranks *ranks, float *x, size_t n) {
    size_t p = ranks->n, me = ranks->rank, out = (me + 1) % p;
    for (size_t s = 1; s < p; s++, out = (out + p - 1) % p) {
        size_t in = (out + p - 1) % p, begin = shard_batches(n, in, p);
        MPI_Request leaves, comes;
        int here = 0, gone;
        MPI_Issend(x + shard_batches(n, out, p),
                   (int)((shard_batches(n, out + 1, p) - shard_batches(n, out, p)) *
                         sizeof *x),
                   MPI_BYTE, (int)((me + 1) % p), 0, ranks->comm, &leaves);
        MPI_Irecv(x + begin, (int)((shard_batches(n, in + 1, p) - begin) * sizeof *x),
                  MPI_BYTE, (int)((me + p - 1) % p), 0, ranks->comm, &comes);
        MPI_Waitany(1, &leaves, &gone, MPI_STATUS_IGNORE);
        while (!here) MPI_Test(&comes, &here, MPI_STATUS_IGNORE);
    }
}

void ring_all_reduce(const Ranks *ranks, float *x, size_t n, float *room) {
    if (ranks->n == 1) return;
    ring_reduce_scatter(ranks, x, n, room);
    ring_all_gather(ranks, x, n);
}
