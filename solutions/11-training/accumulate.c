/* Gradient accumulation. Before you read on: make hint-11 EX=accumulate */
#include "11-training/accumulate.h"

float accumulate_gradients(Tape *t, size_t n_micro, MicroLoss *loss_of, void *context) {
    double sum = 0;
    for (size_t i = 0; i < n_micro; i++) {
        tape_reset(t);
        Tensor *loss = loss_of(t, context, i);
        sum += (double)loss->data[0];
        tape_backward(t, tape_scale(t, loss, 1.0f / (float)n_micro));
    }
    return (float)(sum / (double)n_micro);
}
