/* Exercise 11/accumulate: the gradient of a large batch from several small ones. */
#ifndef CHAPTER_11_ACCUMULATE_H
#define CHAPTER_11_ACCUMULATE_H

#include "tensor/tape.h"

/* The mean loss of micro-batch `index`, computed on the tape. */
typedef Tensor *MicroLoss(Tape *t, void *context, size_t index);

/* Adds to the parameters' gradients those of the mean of n_micro losses, one
 * micro-batch after the other: reset the tape, compute the loss, scale it by 1 /
 * n_micro (tape_scale), and go backwards. Returns the mean loss, summed in double. The
 * caller has set the gradients to zero; the tape keeps the last micro-batch. */
float accumulate_gradients(Tape *t, size_t n_micro, MicroLoss *loss_of, void *context);

#endif
