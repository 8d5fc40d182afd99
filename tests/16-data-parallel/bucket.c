/* Tests of exercise 16/bucket: what travels together, and that nothing leaves early. */
#include "16-data-parallel/bucket.h"

#include <stdlib.h>

#include "check/check.h"
#include "base/memory.h"

static void check_buckets(const char *what, const size_t *all, size_t n,
                          size_t capacity, const size_t *first, size_t n_buckets) {
    size_t *sizes = guarded_copy(all, n, sizeof *all), end = n;
    Bucket *buckets = guarded_alloc(n, sizeof *buckets);
    crash_means("more than n sizes are read, or more than n buckets made");
    size_t got = bucket_fill(buckets, sizes, n, capacity);
    CHECK(got == n_buckets, "%s: %zu buckets, expected %zu", what, got, n_buckets);
    for (size_t b = 0; b < n_buckets; b++) {
        CHECK(buckets[b].first == first[b] && buckets[b].end == end,
              "%s: bucket %zu has parameters %zu to %zu (not included), expected %zu "
              "to %zu",
              what, b, buckets[b].first, buckets[b].end, first[b], end);
        end = first[b];
    }
    free(sizes);
    free(buckets);
}

Test(bucket, last_parameters_first, .timeout = 10) {
    check_buckets("sizes 10 20 30 40, capacity 70", (size_t[]){10, 20, 30, 40}, 4, 70,
                  (size_t[]){2, 0}, 2);
}

Test(bucket, exactly_full, .timeout = 10) {
    check_buckets("sizes 5 5 5 5, capacity 10: two fit exactly", (size_t[]){5, 5, 5, 5},
                  4, 10, (size_t[]){2, 0}, 2);
    check_buckets("sizes 5 5 5 5, capacity 9: one fits", (size_t[]){5, 5, 5, 5}, 4, 9,
                  (size_t[]){3, 2, 1, 0}, 4);
    check_buckets("sizes 5 5 5 5, capacity 20: all fit", (size_t[]){5, 5, 5, 5}, 4, 20,
                  (size_t[]){0}, 1);
}

Test(bucket, larger_than_a_bucket, .timeout = 10) {
    check_buckets("sizes 3 100 3, capacity 10: the large one is alone",
                  (size_t[]){3, 100, 3}, 3, 10, (size_t[]){2, 1, 0}, 3);
    check_buckets("one of 100, capacity 10", (size_t[]){100}, 1, 10, (size_t[]){0}, 1);
}

/* A full bucket's rest is not used by what comes later: buckets are ranges. */
Test(bucket, no_gaps, .timeout = 10) {
    check_buckets("sizes 2 9 5, capacity 10", (size_t[]){2, 9, 5}, 3, 10,
                  (size_t[]){2, 1, 0}, 3);
}

static void fill_two(Bucket *buckets) {
    buckets[0] = (Bucket){.first = 2, .end = 5, .waiting = 99};
    buckets[1] = (Bucket){.first = 0, .end = 2, .waiting = 0};
    bucket_wait(buckets, 2);
}

Test(bucket, waits_for_all, .timeout = 10) {
    Bucket buckets[2];
    fill_two(buckets);
    CHECK(buckets[0].waiting == 3 && buckets[1].waiting == 2,
          "the buckets of 3 and 2 parameters wait for %zu and %zu", buckets[0].waiting,
          buckets[1].waiting);
}

/* Two buckets of 3 and 2 parameters, which are final in this order, twice: right is the
 * result of bucket_final after each. */
static void check_order(const size_t order[5], const size_t right[5],
                        const char *if_not) {
    Bucket buckets[2];
    fill_two(buckets);
    for (int pass = 1; pass <= 2; pass++) {
        for (size_t i = 0; i < 5; i++) {
            size_t got = bucket_final(buckets, 2, order[i]);
            CHECK(got == right[i],
                  "pass %d, parameters final in the order %zu %zu %zu %zu %zu: behind "
                  "%zu bucket_final returns %zu, expected %zu (2: none); bucket 0 is "
                  "2 3 4, bucket 1 is 0 1%s",
                  pass, order[0], order[1], order[2], order[3], order[4], order[i], got,
                  right[i], if_not);
        }
        bucket_wait(buckets, 2);
    }
}

Test(bucket, leaves_with_its_last_gradient, .timeout = 10) {
    check_order((size_t[]){4, 2, 3, 0, 1}, (size_t[]){2, 2, 0, 2, 1},
                ": it may not leave before its gradients are final");
}

/* The backward pass of a tied table may end after others of a later bucket. */
Test(bucket, any_order, .timeout = 10) {
    check_order((size_t[]){0, 4, 1, 3, 2}, (size_t[]){2, 2, 1, 2, 0},
                ": a bucket counts its own parameters");
}

Test(bucket, fill_and_leave, .timeout = 10) {
    Bucket buckets[6];
    const size_t sizes[6] = {50, 8, 1, 64, 8, 1};
    size_t n = bucket_fill(buckets, sizes, 6, 64), left = 0;
    bucket_wait(buckets, n);
    for (size_t param = 6; param-- > 0;) {
        size_t b = bucket_final(buckets, n, param);
        if (b == n) continue;
        CHECK(b == left,
              "gradients final from the last parameter on: bucket %zu leaves, expected "
              "%zu",
              b, left);
        CHECK(buckets[b].first == param,
              "bucket %zu leaves with parameter %zu, its first is %zu", b, param,
              buckets[b].first);
        left++;
    }
    CHECK(left == n, "%zu of %zu buckets have left", left, n);
}

/* More than any array of fixed size would hold, in memory for no more than there
 * are. */
Test(bucket, many_buckets, .timeout = 10) {
    enum { MANY = 5000 };
    size_t *sizes = checked_alloc(MANY, sizeof *sizes);
    Bucket *buckets = checked_alloc(MANY, sizeof *buckets);
    for (size_t i = 0; i < MANY; i++) sizes[i] = 1;
    size_t n = bucket_fill(buckets, sizes, MANY, 1);
    CHECK(n == MANY, "5000 parameters of 1, capacity 1: %zu buckets, expected 5000", n);
    bucket_wait(buckets, n);
    for (size_t b = 0; b < n; b++) {
        size_t waiting = buckets[b].waiting;
        CHECK(waiting == 1,
              "5000 buckets of one parameter: bucket %zu waits for %zu, expected 1", b,
              waiting);
    }
    free(sizes);
    free(buckets);
}
