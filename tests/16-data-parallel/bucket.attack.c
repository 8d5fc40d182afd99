/* An attack on 16/bucket: a list with a large parameter and an exact fit, and gradients
 * in two orders. */
#include "16-data-parallel/bucket.h"

#include "check/check.h"

Test(attack, fill) {
    const size_t sizes[] = {2, 9, 5, 4, 6, 30, 1};
    const size_t first[] = {6, 5, 3, 2, 1, 0};
    Bucket buckets[7];
    size_t n = bucket_fill(buckets, sizes, 7, 10);
    CHECK(n == 6, "%zu buckets", n);
    for (size_t b = 0; b < 6; b++)
        CHECK(buckets[b].first == first[b] && buckets[b].end == (b ? first[b - 1] : 7),
              "bucket %zu", b);
    CHECK(bucket_fill(buckets, sizes, 1, 10) == 1, "one parameter");
}

Test(attack, leave) {
    /* The bucket that is complete with each parameter; 2: none. */
    static const size_t expected[2][5] = {{2, 2, 1, 2, 0}, {1, 2, 2, 0, 2}};
    for (int backwards = 0; backwards < 2; backwards++) {
        Bucket buckets[2] = {{3, 5, 0}, {0, 3, 0}};
        for (int pass = 0; pass < 2; pass++) {
            bucket_wait(buckets, 2);
            for (size_t i = 0; i < 5; i++) {
                size_t param = backwards ? 4 - i : i;
                size_t last = expected[backwards][param];
                size_t got = bucket_final(buckets, 2, param);
                CHECK(got == last, "parameter %zu: %zu, expected %zu", param, got,
                      last);
            }
        }
    }
}
