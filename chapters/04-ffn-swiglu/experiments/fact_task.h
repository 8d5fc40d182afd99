/* An FFN that learns random facts by heart. */
#ifndef CHAPTER_04_FACT_TASK_H
#define CHAPTER_04_FACT_TASK_H

#include "04-ffn-swiglu/ffn.h"
#include "04-ffn-swiglu/learn_facts.h"

typedef struct {
    FfnKind kind;
    size_t width; /* d_ff of a plain FFN; a gated one has 2/3 of it */
    size_t n_facts, steps;
    uint64_t seed;
    Tensor *(*forward)(Tape *t, const Ffn *f, Tensor *x); /* ffn, or another way to
                                                             use its matrices */
} FactRun;

/* The share of the facts that the FFN names right in the end. */
double share_held(const FactRun *run);

#endif
