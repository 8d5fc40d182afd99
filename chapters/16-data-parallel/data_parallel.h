/* One training on many processes: chapter 11's loop asks (team.h), this answers. */
#ifndef CHAPTER_16_DATA_PARALLEL_H
#define CHAPTER_16_DATA_PARALLEL_H

#include "11-training/team.h"
#include "16-data-parallel/exchange.h"

typedef struct {
    Team team; /* first, so that a Team * is a DataParallel * */
    const Ranks *ranks;
    size_t bucket_floats; /* how much leaves in one message, at most, unless one parameter is more */
    bool sharded;         /* each rank keeps the moments of its share only (ZeRO-1) */

    /* From the first step on. */
    Trainer *trainer;
    Layout layout;
    Exchange exchange;
    float *losses; /* [micro-batches] */
    float *rows;   /* [layout.n_rows] sums of squares */
    float *m, *v;  /* sharded: [layout_share] moments, bucket by bucket */
    bool last;     /* the last micro-batch of this rank goes backwards now */
} DataParallel;

DataParallel data_parallel_create(const Ranks *ranks, size_t bucket_floats, bool sharded);
void data_parallel_free(DataParallel *p);

#endif
