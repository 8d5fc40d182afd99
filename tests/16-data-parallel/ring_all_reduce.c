/* Tests of exercise 16/ring_all_reduce: what is sent, to whom, and in which order it is
 * added. The ranks are threads, and MPI's functions those of pretend_mpi.h. */
#include "16-data-parallel/ring_all_reduce.h"

#include <string.h>

#include "16-data-parallel/pretend_mpi.h"
#include "16-data-parallel/shard.h"
#include "base/memory.h"

enum { MOST_RANKS = 5 };

typedef enum { REDUCE_SCATTER, ALL_GATHER, ALL_REDUCE } Which;

/* One call at all ranks. */
typedef struct {
    Which which;
    size_t n, n_ranks;
    float *x[MOST_RANKS];    /* [n] of each rank */
    float *room[MOST_RANKS]; /* [the largest piece] */
} Call;

static void call_as(const Ranks *ranks, void *context) {
    Call *c = context;
    float *room = c->room[ranks->rank];
    if (c->which == REDUCE_SCATTER)
        ring_reduce_scatter(ranks, c->x[ranks->rank], c->n, room);
    if (c->which == ALL_GATHER) ring_all_gather(ranks, c->x[ranks->rank], c->n);
    if (c->which == ALL_REDUCE) ring_all_reduce(ranks, c->x[ranks->rank], c->n, room);
}

static void run(Call *c) {
    static const char *const names[] = {"ring_reduce_scatter", "ring_all_gather",
                                        "ring_all_reduce"};
    crash_means("a message ends behind the array that it is sent from, or goes to");
    const char *wrong = pretend_ranks(c->n_ranks, call_as, c);
    for (size_t r = 0; r < c->n_ranks && !wrong; r++)
        for (size_t i = 0; i < c->n && c->which != REDUCE_SCATTER; i++)
            if (pretend_is_not_here(c->x[r][i]))
                wrong = "numbers are read, or sent on, before their message is here: "
                        "wait for it first";
    CHECK(!wrong, "%s of %zu numbers at %zu ranks: %s", names[c->which], c->n,
          c->n_ranks, wrong);
}

/* Sums of these differ in the last bits when their order does. */
static float number(size_t rank, size_t i) {
    return (float)((rank * 37 + i * 11) % 23) / 7.0f * (rank % 2 ? 1000.0f : 1.0f) + 1;
}

static Call make_call(Which which, size_t n, size_t n_ranks) {
    Call c = {.which = which, .n = n, .n_ranks = n_ranks, .x = {0}, .room = {0}};
    size_t largest = shard_batches(n, 1, n_ranks);
    for (size_t r = 0; r < n_ranks; r++) {
        c.room[r] = guarded_alloc(largest, sizeof(float));
        for (size_t i = 0; i < largest; i++) c.room[r][i] = -777;
        c.x[r] = guarded_alloc(n, sizeof(float));
        for (size_t i = 0; i < n; i++) c.x[r][i] = number(r, i);
    }
    return c;
}

static void free_call(Call *c) {
    for (size_t r = 0; r < c->n_ranks; r++) {
        free(c->x[r]);
        free(c->room[r]);
    }
}

/* The sum of number i of all ranks, from that rank on. */
static double sum_from(size_t first, size_t i, size_t n_ranks) {
    float sum = number(first % n_ranks, i);
    for (size_t r = 1; r < n_ranks; r++) sum += number((first + r) % n_ranks, i);
    return (double)sum;
}

static size_t piece_begin(const Call *c, size_t k) {
    return shard_batches(c->n, k, c->n_ranks);
}

/* Piece k at a rank, against its sum; small differences are those of another order. */
static void check_piece(const Call *c, size_t rank, size_t k) {
    size_t begin = piece_begin(c, k), n = piece_begin(c, k + 1) - begin;
    double right[64], later[64], alone[64];
    char what[100];
    CHECK(n <= 64, "the test's arrays are too small");
    for (size_t i = 0; i < n; i++) {
        right[i] = sum_from(k, begin + i, c->n_ranks);
        later[i] = sum_from(k + 1, begin + i, c->n_ranks);
        alone[i] = (double)number(rank, begin + i);
        CHECK(!pretend_is_not_here(c->x[rank][begin + i]),
              "%zu numbers at %zu ranks: numbers are added before their message is "
              "here: wait for it first",
              c->n, c->n_ranks);
    }
    snprintf(what, sizeof what, "piece %zu at rank %zu of %zu, %zu numbers in all", k,
             rank, c->n_ranks, c->n);
    CHECK_CLOSE(
        what, c->x[rank] + begin, right, n, 1e-9,
        {"it is what this rank had alone: nothing is added to it, or the sum is in "
         "another piece",
         alone},
        {"the sum begins at rank k + 1, not at rank k", later});
}

static void check_scattered(size_t n, size_t n_ranks) {
    Call c = make_call(REDUCE_SCATTER, n, n_ranks);
    run(&c);
    for (size_t r = 0; r < n_ranks; r++) check_piece(&c, r, (r + 1) % n_ranks);
    free_call(&c);
}

static void check_everywhere(size_t n, size_t n_ranks) {
    Call c = make_call(ALL_REDUCE, n, n_ranks);
    run(&c);
    for (size_t r = 0; r < n_ranks; r++)
        for (size_t k = 0; k < n_ranks; k++) check_piece(&c, r, k);
    free_call(&c);
}

/* By hand: rank 0 has 1 2 3 4, rank 1 has 10 20 30 40. */
Test(ring_all_reduce, scatter_at_two_ranks, .timeout = 10) {
    Call c = make_call(REDUCE_SCATTER, 4, 2);
    for (size_t i = 0; i < 4; i++) {
        c.x[0][i] = (float)(i + 1);
        c.x[1][i] = 10 * (float)(i + 1);
    }
    run(&c);
    CHECK_CLOSE("rank 0 has 1 2 3 4, rank 1 has 10 20 30 40: piece 1 at rank 0",
                c.x[0] + 2, ((double[]){33, 44}), 2, 1e-9,
                {"rank 1's numbers take the place of its own: they are to be added",
                 (double[]){30, 40}},
                {"nothing is added", (double[]){3, 4}});
    CHECK_CLOSE("rank 0 has 1 2 3 4, rank 1 has 10 20 30 40: piece 0 at rank 1", c.x[1],
                ((double[]){11, 22}), 2, 1e-9,
                {"rank 0's numbers take the place of its own: they are to be added",
                 (double[]){1, 2}},
                {"nothing is added", (double[]){10, 20}});
    free_call(&c);
}

Test(ring_all_reduce, scatter_at_more_ranks, .timeout = 10) {
    check_scattered(12, 3);
    check_scattered(12, 4);
    check_scattered(20, 5);
}

/* Pieces of 3 3 3 2 2. */
Test(ring_all_reduce, pieces_of_two_sizes, .timeout = 10) {
    check_scattered(13, 5);
    check_scattered(7, 3);
    check_everywhere(13, 5);
}

/* Rank r has piece r + 1 alone. */
static void check_gathered(size_t n, size_t n_ranks) {
    Call c = make_call(ALL_GATHER, n, n_ranks);
    double *right = checked_alloc(n + 1, sizeof *right), *before[MOST_RANKS];
    for (size_t i = 0; i < n; i++) right[i] = (double)(100 + i);
    for (size_t r = 0; r < n_ranks; r++) {
        size_t k = (r + 1) % n_ranks;
        for (size_t i = 0; i < n; i++) c.x[r][i] = -777;
        for (size_t i = piece_begin(&c, k); i < piece_begin(&c, k + 1); i++)
            c.x[r][i] = (float)right[i];
        before[r] = as_double(c.x[r], n);
    }
    run(&c);
    for (size_t r = 0; r < n_ranks; r++) {
        char what[80];
        snprintf(what, sizeof what, "all %zu numbers at rank %zu of %zu", n, r,
                 n_ranks);
        CHECK_CLOSE(
            what, c.x[r], right, n, 1e-9,
            {"it has its own piece alone: the others are -777, as before", before[r]});
    }
    free(right);
    free_call(&c);
}

Test(ring_all_reduce, gather, .timeout = 10) {
    check_gathered(4, 2);
    check_gathered(12, 3);
    check_gathered(13, 5);
}

Test(ring_all_reduce, any_number_of_ranks, .timeout = 10) {
    for (size_t n_ranks = 1; n_ranks <= MOST_RANKS; n_ranks++)
        check_everywhere(12, n_ranks);
}

Test(ring_all_reduce, fewer_numbers_than_ranks, .timeout = 10) {
    check_everywhere(3, 5);
    check_everywhere(1, 2);
}

Test(ring_all_reduce, one_rank_sends_nothing, .timeout = 10) {
    Call c = make_call(ALL_REDUCE, 4, 1);
    run(&c);
    CHECK(pretend.messages_sent[0] == 0, "one rank alone sends %zu messages",
          pretend.messages_sent[0]);
    for (size_t i = 0; i < 4; i++)
        CHECK_NUMBER("a number of one rank alone", c.x[0][i], number(0, i), 1e-9);
    free_call(&c);
}

/* 2 (P - 1) pieces leave each rank, and all of them for the next one. */
Test(ring_all_reduce, pieces_to_the_neighbour, .timeout = 10) {
    for (size_t n_ranks = 2; n_ranks <= MOST_RANKS; n_ranks++) {
        size_t n = 4 * n_ranks, floats = 2 * (n_ranks - 1) * 4;
        Call c = make_call(ALL_REDUCE, n, n_ranks);
        run(&c);
        for (size_t i = 0; i < pretend.n_requests; i++) {
            const PretendRequest *q = &pretend.requests[i];
            size_t expected = (size_t)q->rank + (q->sends ? 1 : n_ranks - 1);
            CHECK(q->other < 0 || (size_t)q->other == expected % n_ranks,
                  "rank %d of %zu %s rank %d, expected rank %zu", q->rank, n_ranks,
                  q->sends ? "sends to" : "receives from", q->other,
                  expected % n_ranks);
        }
        for (size_t r = 0; r < n_ranks; r++)
            CHECK(pretend.bytes_sent[r] == floats * sizeof(float),
                  "%zu numbers, pieces of 4: rank %zu of %zu sends %zu floats, "
                  "expected 2 (P - 1) pieces, %zu",
                  n, r, n_ranks, pretend.bytes_sent[r] / sizeof(float), floats);
        free_call(&c);
    }
}

/* More than any array of fixed size would hold. */
Test(ring_all_reduce, many_numbers, .timeout = 10) {
    enum { MANY = 50001 };
    Call c = make_call(ALL_REDUCE, MANY, 3);
    run(&c);
    for (size_t r = 0; r < 3; r++)
        for (size_t k = 0; k < 3; k++)
            for (size_t i = piece_begin(&c, k); i < piece_begin(&c, k + 1); i++)
                CHECK((double)c.x[r][i] == sum_from(k, i, 3),
                      "number %zu of 50001 at rank %zu of 3: %.9g, expected %.9g", i, r,
                      (double)c.x[r][i], sum_from(k, i, 3));
    free_call(&c);
}
