/* The processes of one training run, as chapter 11's loop calls them (chapter 16
 * implements it). */
#ifndef CHAPTER_11_PROCESS_GROUP_H
#define CHAPTER_11_PROCESS_GROUP_H

#include "11-training/train.h"

/* Every process of the group runs the same loop and makes each of these calls together
 * with the others. */
struct ProcessGroup {
    bool is_root; /* this process reads, prints, validates and saves; the others only
                   compute */

    /* The root has read the data; after this all have the part to train on. */
    void (*share_data)(ProcessGroup *group, Dataset *data);

    /* Before the first step. The root may have resumed: after this all are at its
     * step. */
    void (*begin)(ProcessGroup *group, Trainer *t);

    /* In the place of accumulate_gradients: gradients of the mean of the step's losses,
     * as trainer_micro_loss gives them, and that mean. */
    float (*gradients)(ProcessGroup *group, Trainer *t);

    /* In the place of norms, clipping and AdamW: sets t->norms and returns the norm
     * before clipping; where that is not finite, nothing changes. NULL: every process
     * has all gradients behind `gradients`, and makes the whole update itself. */
    double (*update)(ProcessGroup *group, Trainer *t);

    /* Before a checkpoint and behind it: t->optimizer is whole at the root in
     * between. */
    void (*begin_save)(ProcessGroup *group, Trainer *t);
    void (*end_save)(ProcessGroup *group, Trainer *t);

    /* The largest of the processes' numbers: 0, or a signal that one of them got. */
    int (*agree)(ProcessGroup *group, int signal_number);
};

#endif
