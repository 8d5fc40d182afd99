/* The messages of a step: see exchange.h. */
#include "16-data-parallel/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "16-data-parallel/shard.h"
#include "base/clock.h"
#include "base/memory.h"

struct BucketState {
    bool sent;
    float *inbox;          /* parts of the others, one behind the other */
    Part *sums;            /* the bucket's sums at this rank */
    MPI_Request *requests; /* what is under way to the owners */
    int n_requests;
    MPI_Request gathering;
    int *counts, *offsets; /* [n ranks] pieces, for MPI_Iallgatherv */
};

static size_t n_parts(const Exchange *e) {
    return e->first_part[e->ranks->n];
}

static size_t own_parts(const Exchange *e) {
    return e->first_part[e->ranks->rank + 1] - e->first_part[e->ranks->rank];
}

/* The parts that each rank sends follow from the numbers of its micro-batches, so every
 * rank finds them without communication. */
static void find_parts(Exchange *e) {
    e->parts = checked_alloc(e->n_leaves, sizeof *e->parts);
    e->first_part = checked_alloc(e->ranks->n + 1, sizeof *e->first_part);
    for (size_t r = 0; r < e->ranks->n; r++) {
        size_t first = e->first_part[r], n = 0;
        size_t end = shard_batches(e->n_leaves, r + 1, e->ranks->n);
        for (size_t i = shard_batches(e->n_leaves, r, e->ranks->n); i < end; i++)
            e->parts[first + n++] = (Part){.first = i, .count = 1};
        e->first_part[r + 1] = first + tree_reduce(e->parts + first, n, e->n_leaves, 0);
    }
}

static BucketState create_state(const Exchange *e, size_t bucket) {
    size_t others = n_parts(e) - own_parts(e), n = e->ranks->n;
    BucketState s = {.gathering = MPI_REQUEST_NULL};
    s.inbox = checked_aligned_alloc(
        size_mul(others, layout_piece(e->layout, bucket, e->ranks->rank).n),
        sizeof(float));
    s.sums = checked_alloc(e->n_leaves, sizeof *s.sums);
    s.requests =
        checked_alloc(others + size_mul(own_parts(e), n - 1) + 1, sizeof *s.requests);
    s.counts = checked_alloc(n, sizeof *s.counts);
    s.offsets = checked_alloc(n, sizeof *s.offsets);
    for (size_t r = 0; r < n; r++) {
        Range piece = layout_piece(e->layout, bucket, r);
        s.counts[r] = (int)piece.n;
        s.offsets[r] = (int)(piece.begin - layout_bucket(e->layout, bucket).begin);
    }
    return s;
}

Exchange exchange_create(const Ranks *ranks, const Layout *layout, float *block,
                         size_t n_leaves) {
    Exchange e = {
        .ranks = ranks, .layout = layout, .block = block, .n_leaves = n_leaves};
    find_parts(&e);
    e.adding = checked_alloc(n_leaves, sizeof *e.adding);
    e.sums = checked_alloc(n_leaves, sizeof *e.sums);
    e.buffers = checked_alloc(n_leaves, sizeof *e.buffers);
    e.states = checked_alloc(layout->n_buckets, sizeof *e.states);
    e.times = checked_alloc(layout->n_buckets, sizeof *e.times);
    for (size_t b = 0; b < layout->n_buckets; b++) e.states[b] = create_state(&e, b);
    return e;
}

void exchange_free(Exchange *e) {
    for (size_t b = 0; b < e->layout->n_buckets; b++) {
        BucketState *s = &e->states[b];
        free(s->inbox);
        free(s->sums);
        free(s->requests);
        free(s->counts);
        free(s->offsets);
    }
    for (size_t i = 0; i < e->n_leaves; i++) free(e->buffers[i]);
    free(e->buffers);
    free(e->parts);
    free(e->adding);
    free(e->first_part);
    free(e->sums);
    free(e->states);
    free(e->times);
    *e = (Exchange){0};
}

/* --- micro-batches of this rank --- */

static size_t block_floats(const Exchange *e) {
    return e->layout->starts[e->layout->n_rows];
}

void exchange_add(Exchange *e, size_t index) {
    e->sums[e->n_sums] = (Part){index, 1, e->block};
    size_t n = tree_reduce(e->sums, e->n_sums + 1, e->n_leaves, block_floats(e));
    if (n > e->n_sums) { /* it is still in the block, where the next one will be */
        float **buffer = &e->buffers[e->n_sums];
        if (!*buffer) *buffer = checked_aligned_alloc(block_floats(e), sizeof **buffer);
        e->sums[e->n_sums].sum =
            memcpy(*buffer, e->block, block_floats(e) * sizeof **buffer);
    }
    e->n_sums = n;
}

/* --- to the owners --- */

/* Buckets may leave in any order: the tag says which one a message belongs to. Between
 * two ranks, the parts of a bucket arrive in the order in which they were sent. */
static int bucket_tag(size_t bucket) {
    return (int)(bucket % 32768);
}

static void post_receive(Exchange *e, BucketState *s, float *data, size_t n,
                         size_t from, size_t bucket) {
    MPI_Irecv(data, (int)n, MPI_FLOAT, (int)from, bucket_tag(bucket), e->ranks->comm,
              &s->requests[s->n_requests++]);
}

static void post_send(Exchange *e, BucketState *s, const float *data, size_t n,
                      size_t to, size_t bucket) {
    MPI_Isend(data, (int)n, MPI_FLOAT, (int)to, bucket_tag(bucket), e->ranks->comm,
              &s->requests[s->n_requests++]);
    e->bytes_sent += n * sizeof *data;
}

static void receive_parts(Exchange *e, size_t bucket) {
    BucketState *s = &e->states[bucket];
    size_t me = e->ranks->rank, size = layout_piece(e->layout, bucket, me).n;
    float *inbox = s->inbox;
    for (size_t r = 0; r < e->ranks->n; r++) {
        for (size_t k = e->first_part[r]; r != me && k < e->first_part[r + 1];
             k++, inbox += size)
            post_receive(e, s, inbox, size, r, bucket);
    }
}

void exchange_begin(Exchange *e, bool gather) {
    e->n_sums = e->n_reduced = e->n_gathered = e->bytes_sent = 0;
    e->gather = gather;
    e->started = clock_seconds();
    for (size_t b = 0; b < e->layout->n_buckets; b++) {
        e->states[b].sent = false;
        e->states[b].n_requests = 0;
        receive_parts(e, b);
    }
}

void exchange_send(Exchange *e, size_t bucket) {
    BucketState *s = &e->states[bucket];
    Range all = layout_bucket(e->layout, bucket);
    size_t me = e->ranks->rank, n = e->n_sums;
    for (size_t k = 0; k < n; k++)
        s->sums[k] =
            (Part){e->sums[k].first, e->sums[k].count, e->sums[k].sum + all.begin};
    size_t last = shard_batches(e->n_leaves, me + 1, e->ranks->n) - 1;
    s->sums[n] = (Part){last, 1, e->block + all.begin};
    n = tree_reduce(s->sums, n + 1, e->n_leaves, all.n);
    for (size_t r = 0; r < e->ranks->n; r++) {
        Range piece = layout_piece(e->layout, bucket, r);
        for (size_t k = 0; r != me && k < n; k++)
            post_send(e, s, s->sums[k].sum + (piece.begin - all.begin), piece.n, r,
                      bucket);
    }
    s->sent = true;
    e->times[bucket].sent_at = clock_seconds() - e->started;
}

/* --- at the owner, and from there to all --- */

static void start_gathering(Exchange *e, size_t bucket) {
    BucketState *s = &e->states[bucket];
    float *begin = e->block + layout_bucket(e->layout, bucket).begin;
    e->bytes_sent += layout_piece(e->layout, bucket, e->ranks->rank).n *
                     (e->ranks->n - 1) * sizeof *begin;
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, begin, s->counts, s->offsets,
                    MPI_FLOAT, e->ranks->comm, &s->gathering);
}

/* All parts of our piece are here. */
//> add_up
static void add_up(Exchange *e, size_t bucket) {
    BucketState *s = &e->states[bucket];
    size_t me = e->ranks->rank, n = n_parts(e);
    Range piece = layout_piece(e->layout, bucket, me);
    size_t offset = piece.begin - layout_bucket(e->layout, bucket).begin;
    float *inbox = s->inbox;
    Part *parts = e->adding;
    for (size_t r = 0; r < e->ranks->n; r++) {
        for (size_t k = e->first_part[r]; k < e->first_part[r + 1]; k++) {
            parts[k] = e->parts[k];
            parts[k].sum = r == me ? s->sums[k - e->first_part[r]].sum + offset : inbox;
            if (r != me) inbox += piece.n;
        }
    }
    tree_reduce(parts, n, e->n_leaves, piece.n);
    float *sum = e->block + piece.begin;
    if (parts[0].sum != sum) memcpy(sum, parts[0].sum, piece.n * sizeof *sum);
    e->times[bucket].reduced_at = clock_seconds() - e->started;
    if (e->gather) start_gathering(e, bucket);
}
//< add_up

/* Notes the gathers that have ended: their sums are at all ranks. */
static void test_gathers(Exchange *e) {
    int there = 1;
    while (e->gather && there && e->n_gathered < e->n_reduced) {
        MPI_Test(&e->states[e->n_gathered].gathering, &there, MPI_STATUS_IGNORE);
        if (there) e->times[e->n_gathered++].gathered_at = clock_seconds() - e->started;
    }
}

/* In the order of the buckets, which is the same at all ranks: MPI wants collective
 * calls in one order. */
void exchange_progress(Exchange *e) {
    test_gathers(e);
    while (e->n_reduced < e->layout->n_buckets && e->states[e->n_reduced].sent) {
        BucketState *s = &e->states[e->n_reduced];
        int here;
        MPI_Testall(s->n_requests, s->requests, &here, MPI_STATUSES_IGNORE);
        if (!here) return;
        add_up(e, e->n_reduced++);
    }
}

static void wait_for_gathers(Exchange *e) {
    for (; e->n_gathered < e->layout->n_buckets; e->n_gathered++) {
        MPI_Wait(&e->states[e->n_gathered].gathering, MPI_STATUS_IGNORE);
        e->times[e->n_gathered].gathered_at = clock_seconds() - e->started;
    }
}

void exchange_finish(Exchange *e) {
    ranks_wait_begin(e->ranks);
    while (e->n_reduced < e->layout->n_buckets) {
        BucketState *s = &e->states[e->n_reduced];
        MPI_Waitall(s->n_requests, s->requests, MPI_STATUSES_IGNORE);
        add_up(e, e->n_reduced++);
    }
    wait_for_gathers(e);
    ranks_wait_end();
}

void exchange_gather(Exchange *e) {
    ranks_wait_begin(e->ranks);
    for (size_t b = 0; b < e->layout->n_buckets; b++) start_gathering(e, b);
    e->n_gathered = 0;
    wait_for_gathers(e);
    ranks_wait_end();
}
