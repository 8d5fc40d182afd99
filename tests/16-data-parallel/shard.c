/* Tests of exercise 16/shard: everything has one owner, and the shares are even. */
#include "16-data-parallel/shard.h"

#include "check/check.h"

static void check_begins(size_t n, size_t n_ranks, const size_t *right,
                         const char *if_not) {
    for (size_t r = 0; r <= n_ranks; r++) {
        size_t got = shard_batches(n, r, n_ranks);
        CHECK(got == right[r],
              "%zu micro-batches at %zu ranks: rank %zu begins with %zu, expected %zu: "
              "%s%s",
              n, n_ranks, r, got, right[r], if_not,
              shard_batches(n, n_ranks, n_ranks) < n
                  ? ": the last micro-batch has an owner, too"
                  : "");
    }
}

Test(shard, batches_that_divide, .timeout = 10) {
    check_begins(8, 4, (size_t[]){0, 2, 4, 6, 8}, "each rank has 2");
    check_begins(3, 1, (size_t[]){0, 3}, "one rank has all");
}

Test(shard, batches_that_do_not_divide, .timeout = 10) {
    check_begins(10, 4, (size_t[]){0, 3, 6, 8, 10}, "10 = 3 + 3 + 2 + 2");
    check_begins(7, 5, (size_t[]){0, 2, 4, 5, 6, 7}, "7 = 2 + 2 + 1 + 1 + 1");
}

Test(shard, batches_for_many_ranks, .timeout = 10) {
    check_begins(2, 4, (size_t[]){0, 1, 2, 2, 2}, "the last two ranks have nothing");
    check_begins(0, 3, (size_t[]){0, 0, 0, 0}, "there is nothing");
}

/* 2^60 floats at 1000 ranks: n * rank does not fit into 64 bits. */
Test(shard, batches_beyond_a_product, .timeout = 10) {
    size_t n = (size_t)1 << (8 * sizeof n - 4), begin = shard_batches(n, 999, 1000),
           right = n / 1000 * 999 + (n % 1000 < 999 ? n % 1000 : 999);
    CHECK(begin == right,
          "%zu micro-batches at 1000 ranks: the last begins with %zu, expected %zu%s",
          n, begin, right,
          begin < right / 2 ? ": n * rank is more than a size_t holds" : "");
}

static size_t share(const size_t *starts, size_t n_rows, size_t rank, size_t n_ranks) {
    return starts[shard_rows(starts, n_rows, rank + 1, n_ranks)] -
           starts[shard_rows(starts, n_rows, rank, n_ranks)];
}

static size_t *starts_of(const size_t *starts, size_t n) {
    crash_means("something behind starts[n_rows] is read");
    return guarded_copy(starts, n, sizeof *starts);
}

/* The results of shard_rows for each rank, and for the one after the last. */
static void check_rows(const size_t *given, size_t n_rows, size_t n_ranks,
                       const size_t *right, const char *what, const char *if_not) {
    const size_t *starts = starts_of(given, n_rows + 1);
    for (size_t r = 0; r <= n_ranks; r++) {
        size_t got = shard_rows(starts, n_rows, r, n_ranks);
        CHECK(got == right[r],
              "%s at %zu ranks: rank %zu begins with row %zu, expected %zu%s", what,
              n_ranks, r, got, right[r], if_not);
    }
}

Test(shard, rows_of_one_size, .timeout = 10) {
    check_rows((size_t[]){0, 10, 20, 30, 40, 50, 60}, 6, 3, (size_t[]){0, 2, 4, 6},
               "6 rows of 10", "");
}

/* By number each rank would have three rows, and one of them 102 floats of 105 */
Test(shard, rows_by_floats, .timeout = 10) {
    check_rows((size_t[]){0, 1, 2, 3, 43, 103, 105}, 6, 2, (size_t[]){0, 5, 6},
               "rows of 1 1 1 40 60 2",
               ": floats are shared out, not rows; rank 1 begins with the first row "
               "from float 53 on");
}

Test(shard, rows_of_a_part_of_the_block, .timeout = 10) {
    check_rows((size_t[]){500, 510, 520, 530, 540}, 4, 2, (size_t[]){0, 2, 4},
               "4 rows of 10 from float 500 on,", ": starts[0] need not be 0");
}

Test(shard, rows_that_are_empty, .timeout = 10) {
    check_rows((size_t[]){0, 10, 20, 20, 20}, 4, 2, (size_t[]){0, 1, 4},
               "rows of 10 10 0 0", ": empty rows at the end have an owner, too");
}

Test(shard, rows_at_many_ranks, .timeout = 10) {
    enum { RANKS = 5000, ROWS = 2 * RANKS };
    static size_t starts[ROWS + 1];
    for (size_t i = 0; i <= ROWS; i++) starts[i] = 10 * i;
    for (size_t r = 0; r <= RANKS; r += 250) {
        size_t got = shard_rows(starts, ROWS, r, RANKS);
        CHECK(got == 2 * r,
              "10000 rows of 10 at 5000 ranks: rank %zu begins with row %zu, expected "
              "%zu",
              r, got, 2 * r);
    }
}

/* A row has one owner, and a rank is at most one row from its share. */
Test(shard, rows_have_one_owner, .timeout = 20) {
    size_t starts[21] = {7};
    for (size_t i = 0; i < 20; i++) starts[i + 1] = starts[i] + 1 + i * i % 13;
    for (size_t n_rows = 1; n_rows <= 20; n_rows++) {
        for (size_t n_ranks = 1; n_ranks <= 8; n_ranks++) {
            size_t all = 0;
            CHECK(shard_rows(starts, n_rows, 0, n_ranks) == 0,
                  "rank 0 does not begin with row 0");
            CHECK(shard_rows(starts, n_rows, n_ranks, n_ranks) == n_rows,
                  "%zu rows at %zu ranks: the last rank does not end with the last row",
                  n_rows, n_ranks);
            for (size_t r = 0; r < n_ranks; r++) {
                size_t first = shard_rows(starts, n_rows, r, n_ranks),
                       end = shard_rows(starts, n_rows, r + 1, n_ranks);
                CHECK(first <= end,
                      "%zu rows at %zu ranks: rank %zu begins with row %zu and ends "
                      "before %zu",
                      n_rows, n_ranks, r, first, end);
                size_t floats = share(starts, n_rows, r, n_ranks),
                       even = (starts[n_rows] - starts[0]) / n_ranks;
                CHECK(floats <= even + 14 && even <= floats + 14,
                      "%zu rows at %zu ranks: rank %zu has %zu floats of about %zu",
                      n_rows, n_ranks, r, floats, even);
                all += floats;
            }
            CHECK(all == starts[n_rows] - starts[0],
                  "%zu rows at %zu ranks: %zu floats have an owner, expected %zu",
                  n_rows, n_ranks, all, starts[n_rows] - starts[0]);
        }
    }
}
