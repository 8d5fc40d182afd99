/* A norm whose statistics come from many batches. Before you read on: make hint-01
 * P=two_samples */
#include "01-layernorm-vs-batchnorm/problems/two_samples.h"

/* Two samples say next to nothing about a channel: normalized by their own mean they
 * are always +1 and -1. So the batch only moves the running statistics, slowly, and
 * those normalize it: constants for the gradient. */
Tensor *two_samples(Tape *t, const BatchNorm *l, Tensor *x) {
    if (!t->training) return batchnorm(t, l, x);
    BatchNorm slow = *l;
    slow.momentum = 0.01f;
    batchnorm(t, &slow, x); /* for its running statistics; nothing reads the output */
    t->training = false;
    Tensor *out = batchnorm(t, l, x);
    t->training = true;
    return out;
}
