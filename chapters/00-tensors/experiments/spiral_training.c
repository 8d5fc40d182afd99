/* Training on two spirals: see spiral_training.h. */
#include "00-tensors/experiments/spiral_training.h"

#include "00-tensors/spiral_net.h"

SpiralOutcome spiral_train(SpiralOptimizer optimizer, double rate, bool wrong,
                           uint64_t seed, size_t steps, Csv *csv) {
    SpiralData data = spiral_data_create(SPIRAL_POINTS, seed);
    SpiralRun run = spiral_run_create(SPIRAL_HIDDEN, rate, seed);
    run.net.wrong_backward = wrong;
    SpiralOutcome o = {0};
    for (size_t step = 0; step <= steps; step++) {
        o.loss = (double)spiral_gradients(&run, &data, SPIRAL_POINTS, &o.accuracy);
        if (step == 0) o.first_loss = o.loss;
        if (csv && step % SPIRAL_EVERY == 0)
            csv_row(csv, "%s,%llu,%zu,%.6g", wrong ? "wrong" : "right",
                    (unsigned long long)seed, step, o.loss);
        if (optimizer == WITH_SGD) sgd_step(&run.params, (float)rate);
        if (optimizer == WITH_ADAMW) adamw_step(&run.adamw, &run.params);
    }
    spiral_run_free(&run);
    spiral_data_free(&data);
    return o;
}
