/* The layout of the gradients: their places, their buckets, and their owners. */
#ifndef CHAPTER_16_LAYOUT_H
#define CHAPTER_16_LAYOUT_H

#include "16-data-parallel/bucket.h"
#include "16-data-parallel/ranks.h"
#include "weights/params.h"

/* All gradients are one block of floats, params->grads. A row is up to 1024 floats of
 * one parameter, as tensor_grad_norm adds them; rows are the smallest thing that has an
 * owner. A bucket is some parameters and so a range of the block, and every rank owns
 * some rows of every bucket: a piece. */
typedef struct {
    size_t n_params, n_rows, n_buckets, n_ranks;
    size_t *first_row; /* [n_params + 1] of each parameter */
    size_t *starts;    /* [n_rows + 1] the first float of each row */
    Bucket *buckets;   /* [n_buckets] */
    size_t *cuts;      /* [n_buckets, n_ranks + 1] rows: rank r's piece of bucket b is
                          cuts[b, r] .. cuts[b, r + 1] - 1 */
} Layout;

enum { LAYOUT_ROW = 1024 };

Layout layout_create(const Params *params, size_t n_ranks, size_t bucket_floats);
void layout_free(Layout *l);

typedef struct {
    size_t begin, n; /* of the block of floats, or of all rows */
} Range;

/* A bucket, and a rank's piece of it. */
Range layout_bucket(const Layout *l, size_t bucket);
Range layout_piece(const Layout *l, size_t bucket, size_t rank);
Range layout_piece_rows(const Layout *l, size_t bucket, size_t rank);

/* The floats that a rank owns, all of its pieces together. */
size_t layout_share(const Layout *l, size_t rank);

#endif
