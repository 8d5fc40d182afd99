/* Several processes that make one training: what chapter 11's loop asks of them
 * (chapter 16 answers). */
#ifndef CHAPTER_11_TEAM_H
#define CHAPTER_11_TEAM_H

#include "11-training/train.h"

/* Every process of the team runs the same loop and comes to each of these calls with
 * the others. */
struct Team {
    bool leads; /* this process reads, prints, validates and saves; the others only
                   compute */

    /* The leader has read the data; behind this all have the part to train on. */
    void (*share_data)(Team *team, Dataset *data);

    /* Before the first step. The leader may have resumed: behind this all are where it
     * is. */
    void (*begin)(Team *team, Trainer *t);

    /* In the place of accumulate_gradients: gradients of the mean of the step's losses,
     * and that mean. */
    float (*gradients)(Team *team, Trainer *t);

    /* In the place of norms, clipping and AdamW: sets t->norms and returns the norm
     * before clipping; NULL: every process has all gradients behind `gradients`, and
     * makes the whole update itself. */
    double (*update)(Team *team, Trainer *t);

    /* Before a checkpoint and behind it: t->optimizer is whole at the leader in
     * between. */
    void (*begin_save)(Team *team, Trainer *t);
    void (*end_save)(Team *team, Trainer *t);

    /* The largest of the processes' numbers: 0, or a signal that one of them got. */
    int (*agree)(Team *team, int signal_number);
};

#endif
