/* Exercise 11/accumulate. The contract is in chapters/11-training/accumulate.h. */
#include "11-training/accumulate.h"

#include "base/error.h"

float accumulate_gradients(Tape *t, size_t n_micro, const size_t *n_targets,
                           MicroLoss *loss_of, void *context) {
    EXERCISE_TODO("11/accumulate");
}
