/* Training by the learner's optimizer: see own_optimizer.h. */
#include "00-tensors/problems/own_optimizer.h"

#include "00-tensors/experiments/spiral_training.h"
#include "00-tensors/spiral_net.h"

double own_optimizer_loss(uint64_t seed, float scale, OwnStep *own_step,
                          void *context) {
    SpiralData data = spiral_data_create(SPIRAL_POINTS, seed);
    for (size_t i = 0; i < 2 * SPIRAL_POINTS; i++) data.x[i] *= scale;
    SpiralRun run = spiral_run_create(SPIRAL_HIDDEN, 0, seed);
    double loss = 0, right;
    for (size_t step = 1; step <= SPIRAL_STEPS + 1; step++) {
        loss = (double)spiral_gradients(&run, &data, SPIRAL_POINTS, &right);
        if (step > SPIRAL_STEPS) break;
        for (size_t i = 0; i < run.params.n; i++)
            own_step(context, run.params.items[i].tensor, i, step);
    }
    spiral_run_free(&run);
    spiral_data_free(&data);
    return loss;
}
