/* Random facts, which a model is trained on until it knows them by heart, or does not:
 * for the experiments of this chapter, and for judges. */
#ifndef CHAPTER_04_LEARN_FACTS_H
#define CHAPTER_04_LEARN_FACTS_H

#include "weights/params.h"
#include "tensor/tape.h"

/* A fact: FACT_WIDTH numbers from N(0, 1), and one of FACT_WIDTH names drawn at random.
 * Nothing can be inferred from others. */
enum { FACT_WIDTH = 16 };

/* A model with `params`: forward makes of x [n, FACT_WIDTH] the logits of the names,
 * [n, FACT_WIDTH]. */
typedef struct {
    Tensor *(*forward)(Tape *t, const void *model, Tensor *x);
    const void *model;
    Params *params;
} FactLearner;

/* Trains on all n_facts facts of the seed in every step; the rate falls to 0 in the
 * last quarter. Returns the share that is named right at the last step. */
double learn_facts(const FactLearner *learner, size_t n_facts, size_t steps,
                   uint64_t seed);

#endif
