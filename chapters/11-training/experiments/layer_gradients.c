/* One model, trained twice: the norm inside the residual branch, and behind it. */
#include "11-training/experiments/experiments.h"
#include "11-training/run.h"

void experiment_layer_gradients(const Settings *settings) {
    RunOptions o = run_options;
    o.vocab_size = 512, o.n_layer = 6, o.d_model = 64, o.n_head = 4, o.n_ctx = 64;
    o.batch = 8, o.warmup = 20, o.learning_rate = 1.5e-3;
    o.n_steps = settings->quick ? 20 : 150;
    o.validate_every = o.n_steps;
    o.validation_windows = 20;
    o.save_directory = NULL;
    o.placement = "pre";
    o.log_name = "11-layer-gradients-pre";
    run_training(&o, settings);
    o.placement = "post";
    o.log_name = "11-layer-gradients-post";
    run_training(&o, settings);
}
