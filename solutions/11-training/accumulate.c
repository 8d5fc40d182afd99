/* Gradient accumulation. Before you read on: make hint-11 EX=accumulate */
#include "11-training/accumulate.h"

static double weight_of(const size_t *n_targets, size_t i) {
    return n_targets ? (double)n_targets[i] : 1;
}

float accumulate_gradients(Tape *t, size_t n_micro, const size_t *n_targets,
                           MicroLoss *loss_of, void *context) {
    double all = 0, sum = 0;
    for (size_t i = 0; i < n_micro; i++) all += weight_of(n_targets, i);
    for (size_t i = 0; i < n_micro; i++) {
        double weight = weight_of(n_targets, i);
        if (weight == 0) continue;
        tape_reset(t);
        Tensor *loss = loss_of(t, context, i);
        sum += weight * (double)loss->data[0];
        tape_backward(t, tape_scale(t, loss, (float)(weight / all)));
    }
    return (float)(sum / all);
}
