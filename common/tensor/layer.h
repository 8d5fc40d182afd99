/* A layer, seen from outside: something that maps a tensor to a tensor of the same
 * batch through the tape.
 *
 * Combinators (the residual connection of chapter 02, the block of chapter 08) take
 * layers and do not care which: a LayerNorm, an FFN, attention with or without a cache.
 * `self` is the layer's struct of parameters. */
#ifndef TENSOR_LAYER_H
#define TENSOR_LAYER_H

#include "tensor/tape.h"

typedef struct {
    Tensor *(*forward)(Tape *t, const void *self, Tensor *x);
    const void *self;
} Layer;

/* {0} is the layer that does nothing. */
static inline Tensor *layer_forward(Tape *t, Layer layer, Tensor *x) {
    return layer.forward ? layer.forward(t, layer.self, x) : x;
}

#endif
