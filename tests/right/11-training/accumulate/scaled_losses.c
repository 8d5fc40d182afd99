/* The mean is the sum of the scaled losses. */
#include "11-training/accumulate.h"

float accumulate_gradients(Tape *t, size_t n_micro, MicroLoss *loss_of, void *context) {
    double mean = 0;
    for (size_t i = 0; i < n_micro; i++) {
        tape_reset(t);
        Tensor *share =
            tape_scale(t, loss_of(t, context, i), (float)(1.0 / (double)n_micro));
        tape_backward(t, share);
        mean += (double)share->data[0];
    }
    return (float)mean;
}
