/* Random facts, on which an FFN is trained until it knows them by heart, or does not.
 */
#ifndef CHAPTER_04_FACT_TASK_H
#define CHAPTER_04_FACT_TASK_H

#include "04-ffn-swiglu/ffn.h"

/* A fact: FACT_WIDTH numbers from N(0, 1), and one of FACT_WIDTH names drawn at random.
 * Nothing can be inferred from others. */
enum { FACT_WIDTH = 16 };

typedef struct {
    FfnKind kind;
    size_t width; /* d_ff of a plain FFN; a gated one has 2/3 of it */
    size_t n_facts, steps;
    uint64_t seed;
    Tensor *(*forward)(Tape *t, const Ffn *f, Tensor *x); /* ffn, or another way to
                                                             use its matrices */
} FactRun;

/* Trains on all facts in every step; the rate falls to 0 in the last quarter. Returns
 * the share that is named right. */
double share_held(const FactRun *run);

#endif
