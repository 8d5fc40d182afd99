/* Operations that treat every number by itself, on the tape:
 * activations and gates bring only their kernels. */
#ifndef CHAPTER_04_ELEMENTWISE_H
#define CHAPTER_04_ELEMENTWISE_H

#include "tensor/tape.h"

/* An activation: out = f(x); dx += dout * f'(x). */
typedef struct {
    const char *name; /* of the operation on the tape */
    void (*forward)(float *out, const float *x, size_t n);
    void (*backward)(float *dx, const float *dout, const float *x, size_t n);
} Activation;

Tensor *activate(Tape *t, const Activation *activation, Tensor *x);

/* A gate: out = f(gate) * up; dgate and dup are added to, either may be NULL. */
typedef struct {
    const char *name; /* of the operation, also for the message when the shapes of gate
                         and up differ */
    void (*forward)(float *out, const float *gate, const float *up, size_t n);
    void (*backward)(float *dgate, float *dup, const float *dout, const float *gate,
                     const float *up, size_t n);
} Gate;

Tensor *apply_gate(Tape *t, const Gate *kind, Tensor *gate, Tensor *up);

#endif
