/* An attack on 16/shard: begins against a count, one by one, for small numbers and one
 * beyond a product. */
#include "16-data-parallel/shard.h"

#include "check/check.h"

Test(attack, batches) {
    for (size_t n = 0; n <= 20; n++) {
        for (size_t n_ranks = 1; n_ranks <= 7; n_ranks++) {
            size_t begin = 0;
            for (size_t r = 0; r <= n_ranks; r++) {
                CHECK(shard_batches(n, r, n_ranks) == begin,
                      "%zu at %zu ranks: rank %zu", n, n_ranks, r);
                begin += r < n_ranks ? n / n_ranks + (r < n % n_ranks) : 0;
            }
        }
    }
    size_t large = (size_t)1 << (8 * sizeof large - 4);
    CHECK(shard_batches(large, 16, 16) == large &&
              shard_batches(large, 15, 16) == large / 16 * 15,
          "%zu at 16 ranks", large);
}

Test(attack, rows) {
    const size_t starts[] = {40, 41, 45, 60, 61, 90, 90 + 7};
    for (size_t n_ranks = 1; n_ranks <= 6; n_ranks++) {
        for (size_t r = 0; r <= n_ranks; r++) {
            size_t begin = 40 + shard_batches(57, r, n_ranks), row = 0;
            while (starts[row] < begin) row++;
            CHECK(shard_rows(starts, 6, r, n_ranks) == row, "%zu ranks: rank %zu",
                  n_ranks, r);
        }
    }
    const size_t even[] = {0, 10, 20};
    CHECK(shard_rows(even, 2, 1, 2) == 1, "two rows at two ranks");
}
