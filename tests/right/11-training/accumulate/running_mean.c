/* The mean of the losses so far, kept as they come. */
#include "11-training/accumulate.h"

float accumulate_gradients(Tape *t, size_t n_micro, MicroLoss *loss_of, void *context) {
    float scale = 1.0f / (float)n_micro;
    double mean = 0;
    size_t done = 0;
    while (done < n_micro) {
        tape_reset(t);
        Tensor *loss = loss_of(t, context, done++);
        mean += ((double)*loss->data - mean) / (double)done;
        tape_backward(t, tape_scale(t, loss, scale));
    }
    return (float)mean;
}
