/* Which parameters leave together, and when. Before you read on: make hint-16
 * EX=bucket */
#include "16-data-parallel/bucket.h"

size_t bucket_fill(Bucket *buckets, const size_t *sizes, size_t n, size_t capacity) {
    size_t n_buckets = 0, room = 0;
    for (size_t param = n; param-- > 0;) {
        if (!n_buckets || sizes[param] > room) {
            buckets[n_buckets++] = (Bucket){.end = param + 1};
            room = capacity;
        }
        buckets[n_buckets - 1].first = param;
        room -= sizes[param] < room ? sizes[param] : room;
    }
    return n_buckets;
}

void bucket_wait(Bucket *buckets, size_t n_buckets) {
    for (size_t b = 0; b < n_buckets; b++)
        buckets[b].waiting = buckets[b].end - buckets[b].first;
}

size_t bucket_final(Bucket *buckets, size_t n_buckets, size_t param) {
    size_t b = 0;
    while (param < buckets[b].first) b++;
    return --buckets[b].waiting == 0 ? b : n_buckets;
}
