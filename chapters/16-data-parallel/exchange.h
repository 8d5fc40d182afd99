/* The messages of a step: each rank sends its sums of gradients to the owners of the
 * pieces, which add them along the tree and send the total to all ranks. */
#ifndef CHAPTER_16_EXCHANGE_H
#define CHAPTER_16_EXCHANGE_H

#include <stdbool.h>

#include "16-data-parallel/layout.h"
#include "16-data-parallel/tree_reduce.h"

/* Seconds since the step began at which a bucket was sent from here, was summed over
 * all ranks, and was at all ranks. */
typedef struct {
    double sent_at, reduced_at, gathered_at;
} BucketTimes;

typedef struct BucketState BucketState;

typedef struct {
    const Ranks *ranks;
    const Layout *layout;
    size_t n_leaves; /* micro-batches in a step */
    float *block; /* [layout->starts[n_rows]] gradients of a micro-batch; then the sums
                     of all */
    Part *parts;  /* [n_parts] what the ranks have when all are through; rank r has */
    size_t *first_part; /* [n ranks + 1] first_part[r] .. first_part[r + 1] - 1 */
    Part *adding;       /* [n_parts] scratch: the parts of one piece */
    Part *sums;         /* [n_sums] what this rank has so far */
    size_t n_sums;
    float **buffers;     /* where the sums are that `block` must not hold: another
                            micro-batch comes */
    BucketState *states; /* [n_buckets] */
    size_t n_reduced;    /* buckets 0 .. n_reduced - 1 are added up */
    size_t n_gathered;   /* and 0 .. n_gathered - 1 are at all ranks */
    bool gather;         /* send the sums to all */
    BucketTimes *times;  /* [n_buckets] */
    double started;
    size_t bytes_sent; /* by this rank, in this step */
} Exchange;

Exchange exchange_create(const Ranks *ranks, const Layout *layout, float *block,
                         size_t n_leaves);
void exchange_free(Exchange *e);

/* A step begins. With `gather` all ranks shall have all sums in the end, without it
 * only their own pieces. */
void exchange_begin(Exchange *e, bool gather);

/* The gradients of micro-batch `index`, of which others follow here, are in the
 * block. */
void exchange_add(Exchange *e, size_t index);

/* The gradients of a bucket are final, with the last micro-batch of this rank: they
 * leave. Every rank calls this once for every bucket, in the same order. */
void exchange_send(Exchange *e, size_t bucket);

/* Lets messages move, and adds up what is complete. */
void exchange_progress(Exchange *e);

/* Waits for all of it. Behind this the block has the sums: of the own pieces, and with
 * `gather` of all. */
void exchange_finish(Exchange *e);

/* Every rank has its own pieces in the block; behind this it has all. */
void exchange_gather(Exchange *e);

#endif
