/* The demo: both orders, with and without warm-up. */
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"
#include "math/fit.h"

enum { SPREAD_STEP = 10 };

typedef struct {
    double spread, first_loss;
    double ratios[EARLY]; /* the first layer's gradient over the last layer's */
} Watch;

static double layer_gradient(const Stack *s, size_t l) {
    return tensor_grad_norm(s->mlps[l].down.weight);
}

static void look(void *context, const Stack *s, size_t step, float loss) {
    Watch *w = context;
    if (step == 1) w->first_loss = (double)loss;
    if (step == SPREAD_STEP) w->spread = output_spread(s);
    if (step < EARLY_START || step > EARLY_END) return;
    w->ratios[step - EARLY_START] =
        layer_gradient(s, 0) / layer_gradient(s, s->config.depth - 1);
}

void show_runs(const Settings *settings) {
    printf("Training %zu layers with Adam at learning rate %g, four times on the same "
           "batches:\n"
           "the spread of the outputs at step %d; the first layer's gradient over the "
           "last\n"
           "layer's, at steps %d to %d; the loss of the first step and of the last "
           "%d.\n\n"
           "%-17s %7s %11s %11s %8s\n",
           setup.depth, setup.rate, SPREAD_STEP, EARLY_START, EARLY_END, TRAINING_TAIL,
           "", "spread", "first/last", "first loss", "end");
    for (size_t i = 0; i < RUNS; i++) {
        Watch w = {0};
        StackTraining config =
            setup_training(&runs[i], setup.depth, setup.rate, settings->seed);
        double loss = stack_train(&config, look, &w);
        printf("%-17s %7.5f %11.2g %11.3f %8.3f\n", runs[i].name, w.spread,
               geometric_mean(w.ratios, EARLY), w.first_loss, loss);
    }
    printf("%-17s %40.3f\n", "guessing", teacher_guess_loss(setup.width, CLASSES));
}
