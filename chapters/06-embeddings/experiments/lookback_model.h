/* A model that looks at places, never at words: which word stood one place back? */
#ifndef CHAPTER_06_LOOKBACK_MODEL_H
#define CHAPTER_06_LOOKBACK_MODEL_H

#include "00-tensors/linear.h"
#include "06-embeddings/experiments/position_kind.h"
#include "tensor/tape.h"

enum { LOOKBACK_TRAINED = 32, LOOKBACK_PLACES = 64, LOOKBACK_DIM = 16 };

typedef struct {
    PositionKind kind;
    Params params, fixed; /* the learned parameters, and the fixed ones */
    Tensor *wte, *wpe; /* wpe [LOOKBACK_PLACES, LOOKBACK_DIM]; NULL without positions */
    Linear match, head;
} LookbackModel;

LookbackModel lookback_create(PositionKind kind, uint64_t seed);
void lookback_free(LookbackModel *m);

/* Trains on sentences of LOOKBACK_TRAINED random words. At each place but the first the
 * answer is one of the last `reach` words before it, each as likely as the others. */
void lookback_train(LookbackModel *m, size_t reach, size_t steps, uint64_t seed);

/* The share of right answers at each of LOOKBACK_PLACES places, on new sentences, whose
 * answer is the word before; NaN at the first. */
void lookback_measure(double accuracy[LOOKBACK_PLACES], const LookbackModel *m,
                      uint64_t seed);

#endif
