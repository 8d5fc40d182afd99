/* Exercise 16/bucket. The contract is in chapters/16-data-parallel/bucket.h. */
#include "16-data-parallel/bucket.h"

#include "base/error.h"

size_t bucket_fill(Bucket *buckets, const size_t *sizes, size_t n, size_t capacity) {
    EXERCISE_TODO("16/bucket");
}

void bucket_wait(Bucket *buckets, size_t n_buckets) {
    EXERCISE_TODO("16/bucket");
}

size_t bucket_final(Bucket *buckets, size_t n_buckets, size_t param) {
    EXERCISE_TODO("16/bucket");
}
