/* An attack on 16/ring_all_reduce: each of the three functions at one to four ranks, on
 * pieces of two sizes, and how much is sent. */
#include "16-data-parallel/ring_all_reduce.h"

#include "16-data-parallel/shard.h"
#include "check/pretend_mpi.h"

enum { MOST = 4, NUMBERS = 2001 };

typedef enum { SCATTER, GATHER, BOTH } Which;

static struct {
    Which which;
    size_t n;
    float x[MOST][NUMBERS], room[MOST][NUMBERS];
} call;

static float number(size_t rank, size_t i) {
    return rank % 2 ? (float)(i % 7) + 0.3f : 16777216.0f + (float)(8 * rank);
}

static float sum(size_t k, size_t i, size_t n_ranks) {
    float s = number(k, i);
    for (size_t r = 1; r < n_ranks; r++) s += number((k + r) % n_ranks, i);
    return s;
}

static void each_rank(const Ranks *ranks, void *context) {
    (void)context;
    float *x = call.x[ranks->rank], *room = call.room[ranks->rank];
    if (call.which == SCATTER) ring_reduce_scatter(ranks, x, call.n, room);
    if (call.which == GATHER) ring_all_gather(ranks, x, call.n);
    if (call.which == BOTH) ring_all_reduce(ranks, x, call.n, room);
}

/* At first a rank has its own numbers, or, for a gather, the sums of its piece. */
static void fill(size_t rank, size_t n_ranks) {
    size_t own = (rank + 1) % n_ranks, begin = shard_batches(call.n, own, n_ranks),
           end = shard_batches(call.n, own + 1, n_ranks);
    for (size_t i = 0; i < call.n; i++) {
        bool whole = i >= begin && i < end;
        call.x[rank][i] = call.which != GATHER ? number(rank, i)
                          : whole              ? sum(own, i, n_ranks)
                                               : -1;
        call.room[rank][i] = -1;
    }
}

static void check(Which which, size_t n, size_t n_ranks) {
    call.which = which;
    call.n = n;
    for (size_t r = 0; r < n_ranks; r++) fill(r, n_ranks);
    const char *wrong = pretend_ranks(n_ranks, each_rank, NULL);
    CHECK(!wrong, "%zu ranks: %s", n_ranks, wrong);
    size_t sent = 0;
    for (size_t r = 0; r < n_ranks; r++) {
        sent += pretend.bytes_sent[r];
        for (size_t k = 0; k < n_ranks; k++) {
            if (which == SCATTER && k != (r + 1) % n_ranks) continue;
            size_t end = shard_batches(n, k + 1, n_ranks);
            for (size_t i = shard_batches(n, k, n_ranks); i < end; i++)
                CHECK(call.x[r][i] == sum(k, i, n_ranks),
                      "%zu of %zu numbers, rank %zu of %zu", i, n, r, n_ranks);
        }
    }
    CHECK(sent == (which == BOTH ? 2 : 1) * (n_ranks - 1) * n * sizeof(float),
          "%zu bytes sent by %zu ranks", sent, n_ranks);
}

Test(attack, all) {
    for (size_t n_ranks = 1; n_ranks <= MOST; n_ranks++) {
        for (Which which = SCATTER; which <= BOTH; which++) {
            check(which, 12, n_ranks);
            check(which, 7, n_ranks);
            check(which, 2, n_ranks);
            check(which, NUMBERS, n_ranks);
        }
    }
}
