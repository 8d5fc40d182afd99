/* Exercise 00/softmax_cross_entropy: softmax over any axis, and the loss that every
 * language model is trained on. Several threads may call it at once. */
#ifndef CHAPTER_00_SOFTMAX_CROSS_ENTROPY_H
#define CHAPTER_00_SOFTMAX_CROSS_ENTROPY_H

#include <stddef.h>

/* A target that does not count: PyTorch's ignore_index. */
enum { IGNORE_TARGET = -100 };

/* out = exp(x) / sum of exp(x) along one axis of x [outer, n, inner]; the axis has
 * length n and its neighbours lie `inner` floats apart (inner = 1: the last axis). No
 * finite x makes exp overflow; -infinity gives probability 0, but nothing is promised
 * of a slice along the axis that holds nothing else. out may be x.
 *
 * Here and below, sum in double: in float, 50257 times the probability 1/50257, as many
 * as GPT-2 has classes, is 1.00036. For one row, row_softmax and row_logsumexp of
 * common/kernels/softmax.h do this, for later chapters; the exercise is to write it. */
//> signatures
void softmax_forward(float *out, const float *x, size_t outer, size_t n, size_t inner);
//< signatures

/* dx += the gradient of x, given `out`, the result of softmax_forward, and its gradient
 * dout. */
//> signatures
void softmax_backward(float *dx, const float *dout, const float *out, size_t outer,
                      size_t n, size_t inner);
//< signatures

/* The mean over the rows that count of -ln softmax(logits)[target], in nats.
 * logits [rows, n_classes]; targets [rows], IGNORE_TARGET where a row does not count
 * (no row counts: the loss is NaN, as in PyTorch). Writes ln(sum of exp(logits)) of
 * each row to logsumexp [rows], which the backward pass needs. */
//> signatures
float cross_entropy_forward(float *logsumexp, const float *logits, const int *targets,
                            size_t rows, size_t n_classes);
//< signatures

/* dlogits += dloss * (softmax(logits) - onehot(target)) / (number of rows that count);
 * nothing for ignored rows. */
//> signatures
void cross_entropy_backward(float *dlogits, float dloss, const float *logits,
                            const float *logsumexp, const int *targets, size_t rows,
                            size_t n_classes);
//< signatures

#endif
