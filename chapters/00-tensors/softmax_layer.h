/* Softmax and the loss on the tape, around the kernels of exercise
 * 00/softmax_cross_entropy. */
#ifndef CHAPTER_00_SOFTMAX_LAYER_H
#define CHAPTER_00_SOFTMAX_LAYER_H

#include "00-tensors/softmax_cross_entropy.h"
#include "tensor/tape.h"

/* The loss of logits [..., n_classes] as a tensor of one element; `targets` has one
 * entry a row and must live as long as the tape's step. A target that is neither a
 * class nor IGNORE_TARGET ends the program. */
Tensor *cross_entropy(Tape *t, Tensor *logits, const int *targets);

/* The share of the rows of logits [..., n_classes] whose largest number,
 * the first if several are, is at the target. */
double accuracy(const Tensor *logits, const int *targets);

/* Softmax over `axis`, negative axes counted from the last. */
Tensor *softmax(Tape *t, Tensor *x, int axis);

#endif
