/* Tunes the number of threads of repeated work, such as training steps.
 *
 * Two threads that share out every operation wait for each other at the end of each.
 * Beside another program that wants a core, one of them is always late, and both are
 * slower than one alone. How many the machine has to spare is found by trying: now and
 * then a piece is done with one thread more or one less, and the faster number stays.
 * The results do not depend on the number. */
#ifndef KERNELS_THREAD_TUNER_H
#define KERNELS_THREAD_TUNER_H

#include <stdbool.h>
#include <stddef.h>

enum { THREAD_TUNER_RECENT = 3 };

typedef struct {
    size_t most, now; /* threads; `now` is the best known */
    size_t next;      /* what the next piece is done with: `now`, or one more or less */
    double recent[THREAD_TUNER_RECENT]; /* seconds of the last pieces with `now`
                                           threads; the first n_recent */
    size_t n_recent, n_pieces;
    double usual;       /* the least of them, when the last trial was */
    size_t left, rest;  /* pieces until the next trial, and from a trial that failed to
                           the next */
    bool up;            /* the last trial was with one more */
    double total, lost; /* seconds of all pieces, and what trials that failed took
                           longer than usual */
    double started;
} ThreadTuner;

ThreadTuner thread_tuner_create(size_t most);

/* Call these around each piece of work. The first one is not counted: it allocates. */
void thread_tuner_begin(ThreadTuner *t);
void thread_tuner_end(ThreadTuner *t);

/* The decision of thread_tuner_end: a piece with t->next threads took so many
 * seconds. */
void thread_tuner_learn(ThreadTuner *t, double seconds);

#endif
