/* Exercise 11/accumulate: the gradient of a large batch from several small ones. */
#ifndef CHAPTER_11_ACCUMULATE_H
#define CHAPTER_11_ACCUMULATE_H

#include "tensor/tape.h"

/* The mean loss of micro-batch `index`, computed on the tape. */
typedef Tensor *MicroLoss(Tape *t, void *context, size_t index);

/* Adds to the parameters' gradients, which the caller has set to zero, those of the
 * mean of n_micro losses, (L_0 + ... + L_{n_micro - 1}) / n_micro, and returns that
 * mean, summed in double. The tape never holds more than one micro-batch, whatever it
 * held before; the last one stays on it. */
float accumulate_gradients(Tape *t, size_t n_micro, MicroLoss *loss_of, void *context);

#endif
