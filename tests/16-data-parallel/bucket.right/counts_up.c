/* Adds sizes until there are too many; finds the bucket from the last one on. */
#include "16-data-parallel/bucket.h"

size_t bucket_fill(Bucket *buckets, const size_t *sizes, size_t n, size_t capacity) {
    size_t sum = 0, b = 0;
    for (size_t i = n; i > 0; i--) {
        if (i < n && sum + sizes[i - 1] > capacity) {
            b++;
            sum = 0;
        }
        if (!sum) buckets[b].end = i;
        sum += sizes[i - 1];
        buckets[b].first = i - 1;
    }
    return n ? b + 1 : 0;
}

void bucket_wait(Bucket *buckets, size_t n_buckets) {
    for (Bucket *b = buckets; b < buckets + n_buckets; b++)
        b->waiting = b->end - b->first;
}

size_t bucket_final(Bucket *buckets, size_t n_buckets, size_t param) {
    size_t b = n_buckets - 1;
    while (b > 0 && param >= buckets[b].end) b--;
    buckets[b].waiting--;
    return buckets[b].waiting ? n_buckets : b;
}
