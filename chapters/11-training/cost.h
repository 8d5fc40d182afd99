/* The cost of a training run: operations, memory, and the peak rate of this machine. */
#ifndef CHAPTER_11_COST_H
#define CHAPTER_11_COST_H

#include "11-training/train.h"

/* The floating-point operations of a step (Kaplan et al. 2020, section 2.1). For each
 * token and each number of a matrix 6: a multiplication and an addition forward, twice
 * as many backward. The token table counts once, as the head; the position table is
 * only looked up. Attention adds 6 length d_model a token and block: scores and values
 * take 4 length d_model forward, of which a causal mask leaves half. Norms, activations
 * and the optimizer are left out: they are memory, not arithmetic. */
double train_flops(const Trainer *t);

/* Operations a second of one product of two matrices in floats, the best of several in
 * about 50 ms: no training run exceeds it here. Depends on the machine and on the
 * number of threads. */
double machine_flops(void);

/* Bytes by part. Activations are the tape's at the last step's peak, 0 before the
 * first. */
typedef struct {
    size_t weights, gradients, moments, activations, text;
} TrainMemory;

TrainMemory train_memory(const Trainer *t);

#endif
