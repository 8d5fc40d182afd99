/* One training on many processes: chapter 11's loop asks (team.h), this answers. */
#ifndef CHAPTER_16_DATA_PARALLEL_H
#define CHAPTER_16_DATA_PARALLEL_H

#include "11-training/team.h"
#include "16-data-parallel/exchange.h"

typedef struct {
    Team team; /* first, so that a Team * is a DataParallel * */
    const Ranks *ranks;
    size_t bucket_floats; /* how much leaves in one message, at most, unless one
                             parameter is more */
    bool sharded;         /* each rank keeps the moments of its share only (ZeRO-1) */

    /* From the first step on. */
    Trainer *trainer;
    Layout layout;
    Exchange exchange;
    float *losses; /* [micro-batches] */
    float *rows;   /* [layout.n_rows] sums of squares */
    float *m, *v;  /* sharded: [layout_share] moments, bucket by bucket */
} DataParallel;

DataParallel data_parallel_create(const Ranks *ranks, size_t bucket_floats,
                                  bool sharded);
void data_parallel_free(DataParallel *p);

/* One micro-batch, forward and backward, its loss to p->losses, its gradients added to
 * those that are there; `final` is told of each (tape.h). As accumulate_gradients does
 * it, but for what dropout draws: each micro- batch has a stream of its own, so that it
 * is the same at whatever rank, and behind whichever others. */
void data_parallel_micro_batch(DataParallel *p, size_t index, TapeFinal *final);

/* Behind all micro-batches: shares the losses, which were 0 before the step, and adds
 * them up in the order of the micro-batches. Ends the program where one is not
 * finite. */
float data_parallel_mean_loss(DataParallel *p);

#endif
