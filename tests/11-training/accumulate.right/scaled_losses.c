/* The mean is the sum of the scaled losses. */
#include "11-training/accumulate.h"

float accumulate_gradients(Tape *t, size_t n_micro, const size_t *n_targets,
                           MicroLoss *loss_of, void *context) {
    double mean = 0, total = n_targets ? 0 : (double)n_micro;
    for (size_t i = 0; n_targets && i < n_micro; i++) total += (double)n_targets[i];
    for (size_t i = 0; i < n_micro; i++) {
        float scale = (float)((n_targets ? (double)n_targets[i] : 1) / total);
        if (scale == 0.0f) continue;
        tape_reset(t);
        Tensor *share = tape_scale(t, loss_of(t, context, i), scale);
        tape_backward(t, share);
        mean += (double)share->data[0];
    }
    return (float)mean;
}
