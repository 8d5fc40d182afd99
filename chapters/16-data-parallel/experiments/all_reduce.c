/* Ways to add an array over all ranks: see all_reduce.h. */
#include "16-data-parallel/experiments/all_reduce.h"

#include <string.h>

#include "16-data-parallel/shard.h"
#include "16-data-parallel/tree_reduce.h"
#include "base/error.h"

enum { MOST_RANKS = 64 };

static void add(float *x, const float *y, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] += y[i];
}

static float *piece(float *x, size_t n, size_t owner, const Ranks *ranks, int *count) {
    size_t begin = shard_batches(n, owner % ranks->n, ranks->n);
    *count = (int)(shard_batches(n, owner % ranks->n + 1, ranks->n) - begin);
    return x + begin;
}

void all_reduce_to_root(const Ranks *ranks, float *x, size_t n, float *room) {
    for (size_t distance = 1; distance < ranks->n; distance *= 2) {
        if (ranks->rank % (2 * distance) == distance) {
            MPI_Send(x, (int)n, MPI_FLOAT, (int)(ranks->rank - distance), 0,
                     ranks->comm);
            break;
        }
        if (ranks->rank + distance >= ranks->n) continue;
        MPI_Recv(room, (int)n, MPI_FLOAT, (int)(ranks->rank + distance), 0, ranks->comm,
                 MPI_STATUS_IGNORE);
        add(x, room, n);
    }
    size_t top = 1;
    while (top < ranks->n) top *= 2;
    for (size_t distance = top / 2; distance > 0; distance /= 2) {
        if (ranks->rank % (2 * distance) == distance) {
            MPI_Recv(x, (int)n, MPI_FLOAT, (int)(ranks->rank - distance), 0,
                     ranks->comm, MPI_STATUS_IGNORE);
        } else if (ranks->rank % (2 * distance) == 0 &&
                   ranks->rank + distance < ranks->n) {
            MPI_Send(x, (int)n, MPI_FLOAT, (int)(ranks->rank + distance), 0,
                     ranks->comm);
        }
    }
}

void all_reduce_owners(const Ranks *ranks, float *x, size_t n, float *room) {
    MPI_Request requests[2 * MOST_RANKS];
    Part parts[MOST_RANKS];
    int counts[MOST_RANKS], offsets[MOST_RANKS], n_requests = 0, mine;
    if (ranks->n > MOST_RANKS)
        die("%zu ranks, expected at most %d", ranks->n, MOST_RANKS);
    float *own = piece(x, n, ranks->rank, ranks, &mine);
    for (size_t r = 0; r < ranks->n; r++) {
        float *others = piece(x, n, r, ranks, &counts[r]);
        offsets[r] = (int)(others - x);
        parts[r] = (Part){r, 1, r == ranks->rank ? own : room};
        if (r == ranks->rank) continue;
        MPI_Irecv(room, mine, MPI_FLOAT, (int)r, 0, ranks->comm,
                  &requests[n_requests++]);
        MPI_Isend(others, counts[r], MPI_FLOAT, (int)r, 0, ranks->comm,
                  &requests[n_requests++]);
        room += mine;
    }
    MPI_Waitall(n_requests, requests, MPI_STATUSES_IGNORE);
    tree_reduce(parts, ranks->n, ranks->n, (size_t)mine);
    if (parts[0].sum != own) memcpy(own, parts[0].sum, (size_t)mine * sizeof *own);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, counts, offsets, MPI_FLOAT,
                   ranks->comm);
}

void all_reduce_mpi(const Ranks *ranks, float *x, size_t n, float *room) {
    (void)room;
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, x, (int)n, MPI_FLOAT, MPI_SUM, ranks->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
