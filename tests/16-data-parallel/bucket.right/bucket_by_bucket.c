/* Takes for each bucket as many parameters as fit, then goes on to the next; looks for
 * a bucket from its end. */
#include "16-data-parallel/bucket.h"

size_t bucket_fill(Bucket *buckets, const size_t *sizes, size_t n, size_t capacity) {
    size_t count = 0;
    while (n > 0) {
        size_t end = n, filled = sizes[--n];
        while (n > 0 && filled + sizes[n - 1] <= capacity) filled += sizes[--n];
        buckets[count].end = end;
        buckets[count++].first = n;
    }
    return count;
}

void bucket_wait(Bucket *buckets, size_t n_buckets) {
    while (n_buckets-- > 0)
        buckets[n_buckets].waiting = buckets[n_buckets].end - buckets[n_buckets].first;
}

size_t bucket_final(Bucket *buckets, size_t n_buckets, size_t param) {
    for (size_t b = 0; b < n_buckets; b++) {
        if (param < buckets[b].first || param >= buckets[b].end) continue;
        buckets[b].waiting -= 1;
        if (buckets[b].waiting == 0) return b;
    }
    return n_buckets;
}
