/* Exercise 16/bucket: which parameters leave together, and when. */
#ifndef CHAPTER_16_BUCKET_H
#define CHAPTER_16_BUCKET_H

#include <stddef.h>

/* Parameters first .. end - 1, whose gradients travel in one message. */
//> bucket
typedef struct {
    size_t first, end;
    size_t waiting; /* how many of them have gradients that are not final yet */
} Bucket;
//< bucket

//> signatures
/* Puts n parameters of sizes[i] numbers into buckets, of which there is room for n, and
 * returns how many those are. The backward pass comes to the last parameter first:
 * bucket 0 holds it and as many before it as fit into `capacity` numbers, bucket 1 goes
 * on in front of it, and so on. A parameter is not cut in two; one that is larger than
 * `capacity` has a bucket of its own. */
size_t bucket_fill(Bucket *buckets, const size_t *sizes, size_t n, size_t capacity);

/* A backward pass begins: all parameters of all buckets are waited for. */
void bucket_wait(Bucket *buckets, size_t n_buckets);

/* The gradient of parameter `param` is final. Returns the number of its bucket if that
 * was the last one which it waited for, so that the bucket may leave now; n_buckets if
 * not. */
size_t bucket_final(Bucket *buckets, size_t n_buckets, size_t param);
//< signatures

#endif
