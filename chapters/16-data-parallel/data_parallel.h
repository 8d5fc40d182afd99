/* One training run on many processes: an implementation of process_group.h. */
#ifndef CHAPTER_16_DATA_PARALLEL_H
#define CHAPTER_16_DATA_PARALLEL_H

#include "11-training/process_group.h"
#include "16-data-parallel/exchange.h"

/* x [n] of all ranks, added up, at all ranks; room [n] is for what arrives. */
typedef void AllReduce(const Ranks *ranks, float *x, size_t n, float *room);

typedef struct {
    ProcessGroup group; /* first, so that a ProcessGroup * is a DataParallel * */
    const Ranks *ranks;
    size_t bucket_floats; /* how much leaves in one message, at most, unless one
                             parameter is more */
    bool sharded;         /* each rank keeps the moments of its share only (ZeRO-1) */

    /* From the first step on. */
    Trainer *trainer;
    Layout layout;
    Exchange exchange;
    float *losses;         /* [micro-batches] */
    float *rows;           /* [layout.n_rows] sums of squares */
    float *m, *v;          /* sharded: [layout_share] moments, bucket by bucket */
    AllReduce *all_reduce; /* in the place of the tree, or NULL */
    float *room;           /* [params->n_grads], for it */
} DataParallel;

DataParallel data_parallel_create(const Ranks *ranks, size_t bucket_floats,
                                  bool sharded);
void data_parallel_free(DataParallel *p);

/* Before the first step, and not where the moments are shared out: gradients are added
 * as most programs do it, each rank's micro-batches one behind the other, then the
 * ranks' sums by all_reduce. Other numbers of ranks then give other bytes. */
void data_parallel_use(DataParallel *p, AllReduce *all_reduce);

/* One micro-batch, forward and backward, its loss to p->losses, its gradients added to
 * those that are there; `on_gradient_ready` is called for each (tape.h). As
 * accumulate_gradients does it, but for what dropout draws: each micro-batch has a
 * stream of its own, the same at every rank and behind any other micro-batch. */
void data_parallel_micro_batch(DataParallel *p, size_t index,
                               TapeGradientReady *on_gradient_ready);

/* Behind all micro-batches: shares the losses, which were 0 before the step, and adds
 * them up in the order of the micro-batches. Ends the program where one is not
 * finite. */
float data_parallel_mean_loss(DataParallel *p);

#endif
