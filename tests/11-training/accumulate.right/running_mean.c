/* The mean of the losses so far, each as often as it has targets. */
#include "11-training/accumulate.h"

float accumulate_gradients(Tape *t, size_t n_micro, const size_t *n_targets,
                           MicroLoss *loss_of, void *context) {
    size_t all = n_targets ? 0 : n_micro, done = 0;
    for (size_t i = 0; n_targets && i < n_micro; i++) all += n_targets[i];
    double mean = 0;
    for (size_t i = 0; i < n_micro; i++) {
        size_t here = n_targets ? n_targets[i] : 1;
        if (!here) continue;
        tape_reset(t);
        Tensor *loss = loss_of(t, context, i);
        done += here;
        mean += ((double)*loss->data - mean) * (double)here / (double)done;
        tape_backward(t, tape_scale(t, loss, (float)here / (float)all));
    }
    return (float)mean;
}
