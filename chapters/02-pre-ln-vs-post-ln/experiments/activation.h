/* The sublayer of a stack with another activation in the place of ReLU. */
#ifndef CHAPTER_02_ACTIVATION_H
#define CHAPTER_02_ACTIVATION_H

#include "02-pre-ln-vs-post-ln/stack.h"

typedef enum { RELU, RELU_MINUS_MEAN, TANH, ACTIVATIONS } Activation;

/* "ReLU", "ReLU-mean" (ReLU minus its mean), "tanh" */
const char *activation_name(Activation activation);

/* An Mlp with its activation, as a Layer. */
typedef struct {
    const Mlp *mlp;
    Activation activation;
} ActivatedMlp;

/* The hidden units for x [..., d_model] -> [..., d_hidden]. */
Tensor *hidden_units(Tape *t, const ActivatedMlp *a, Tensor *x);

/* Gives every sublayer of a new stack the activation, and scales its second weight so
 * that the branch begins as large as with ReLU. The stack points into `activated`
 * [depth] from then on. */
void set_activation(ActivatedMlp *activated, Stack *s, Activation activation);

#endif
