/* How a training step grows with the length of the text, the width and the number of
 * layers: the exponents of its operations by formula, and of its measured time. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/optimizer.h"
#include "10-gpt2/gpt2.h"
#include "15-speed/experiments/experiments.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"
#include "math/random.h"
#include "kernels/threads.h"

enum { VOCAB = 512, HEADS = 4, POINTS = 4, TURNS = 5, MOST_TOKENS = 2048 };

typedef struct {
    size_t length, width, layers, batch;
} Size;

typedef struct {
    const char *name;
    Size sizes[POINTS];
} Axis;

/* The number of rows stays where the text grows, and with it what does not look
 * back. */
static const Axis axes[] = {
    {"length", {{64, 64, 2, 1}, {128, 64, 2, 1}, {256, 64, 2, 1}, {512, 64, 2, 1}}},
    {"width", {{64, 64, 2, 4}, {64, 128, 2, 4}, {64, 256, 2, 4}, {64, 512, 2, 4}}},
    {"layers", {{64, 128, 1, 4}, {64, 128, 2, 4}, {64, 128, 4, 4}, {64, 128, 8, 4}}},
};

static double along(const Axis *axis, size_t i) {
    const Size *s = &axis->sizes[i];
    return (double)(axis == &axes[0]   ? s->length
                    : axis == &axes[1] ? s->width
                                       : s->layers);
}

/* Of a step: 6 for each token and number of a matrix, 6 length width for each token and
 * layer of
 * attention. */
static double step_flop(const Size *s, const Gpt2 *model) {
    double numbers = (double)(params_count(&model->params) - tensor_size(model->wpe));
    return (double)(s->batch * s->length) *
           (6 * numbers + 6.0 * (double)(s->layers * s->length * s->width));
}

static double step_seconds(const Size *s, Gpt2 *model) {
    static int tokens[MOST_TOKENS + 1];
    AdamW optimizer = adamw_create(&model->params, 1e-5f, 0.1f);
    Tape t = tape_for_training(1);
    Gpt2Input input = {.tokens = tokens, .batch = s->batch, .length = s->length};
    double best = INFINITY;
    for (size_t i = 0; i <= s->batch * s->length; i++)
        tokens[i] = (int)(i * 97 % VOCAB);
    for (size_t i = 0; i <= TURNS; i++) {
        double started = clock_seconds_of(1);
        tape_reset(&t);
        params_zero_grad(&model->params);
        tape_backward(&t, gpt2_loss(&t, model, &input, tokens + 1));
        adamw_step(&optimizer, &model->params);
        /* the first asks for the memory */
        if (i > 0) best = smaller(best, clock_seconds_of(1) - started);
    }
    adamw_free(&optimizer);
    tape_free(&t);
    return best;
}

void experiment_growth(const Settings *settings) {
    Csv csv =
        csv_begin(settings->out, "growth", "axis,size,gflop,seconds,by_operations_s");
    Csv fits =
        csv_begin(settings->out, "growth-exponents", "axis,of_operations,of_time");
    double theory[3], measured[3];
    threads_use(1);
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
        double x[POINTS], flop[POINTS], seconds[POINTS];
        for (size_t i = 0; i < POINTS; i++) {
            const Size *s = &axes[a].sizes[i];
            Gpt2Config config =
                gpt2_config(VOCAB, s->length, s->layers, HEADS, s->width);
            Random init = random_create(settings->seed);
            Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
            x[i] = along(&axes[a], i);
            flop[i] = step_flop(s, model);
            seconds[i] = step_seconds(s, model);
            printf("  %-8s %5.0f: %8.3f GFLOP, %8.2f ms\n", axes[a].name, x[i],
                   1e-9 * flop[i], 1e3 * seconds[i]);
            csv_row(&csv, "%s,%.0f,%.4g,%.4g,%.4g", axes[a].name, x[i], 1e-9 * flop[i],
                    seconds[i], seconds[0] * flop[i] / flop[0]);
            gpt2_free(model);
        }
        theory[a] = fit_exponent(x, flop, POINTS);
        measured[a] = fit_exponent(x, seconds, POINTS);
        csv_row(&fits, "%s,%.3g,%.3g", axes[a].name, theory[a], measured[a]);
    }
    csv_commit(&csv);
    csv_commit(&fits);
    threads_use(settings->threads);
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
        claim(fabs(measured[a] - theory[a]) < 0.35,
              "%s: operations grow as its power %.2f, time as %.2f (within 0.35)",
              axes[a].name, theory[a], measured[a]);
    }
}
