/* Exercise 11/accumulate: the gradient of a large batch from several small ones.
 * Several threads may call it at once. */
#ifndef CHAPTER_11_ACCUMULATE_H
#define CHAPTER_11_ACCUMULATE_H

#include "tensor/tape.h"

//> loss
/* The mean loss of micro-batch `index`, computed on the tape. */
typedef Tensor *MicroLoss(Tape *t, void *context, size_t index);

/* Adds to the parameters' gradients, which the caller has set to zero, those of the
 * mean loss over all targets of the n_micro micro-batches, and returns that mean,
 * summed in double. L_i, what loss_of gives, is the mean over n_targets[i] targets;
 * n_targets NULL says that all have as many. One without targets is left out, and
 * loss_of is not called for it; some have targets. The tape, reset first, never holds
 * more than one micro-batch; the last one stays on it. */
float accumulate_gradients(Tape *t, size_t n_micro, const size_t *n_targets,
                           MicroLoss *loss_of, void *context);
//< loss

#endif
