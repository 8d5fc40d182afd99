/* Lesions: the loss of a trained stack without one sublayer, or with two neighbours in
 * the other order (Veit et al. 2016). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum { KINDS = 2, LAYERS = 8, STEPS = 1500, ROWS_OF_LOSS = 2048 };

static const size_t kinds[KINDS] = {NORM_ONLY, PRE};
enum { WITHOUT, WITH };
static const double rates[KINDS] = {0.001, 0.002};

typedef struct {
    double whole, without[LAYERS], swapped[LAYERS - 1];
} Lesions;

//> lesion
static double loss_without(const Stack *s, size_t layer) {
    Residual left[LAYERS];
    for (size_t l = 0, n = 0; l < LAYERS; l++) {
        if (l != layer) left[n++] = s->residuals[l];
    }
    Stack smaller_stack = *s;
    smaller_stack.residuals = left;
    smaller_stack.config.depth = LAYERS - 1;
    return fresh_loss(&smaller_stack, ROWS_OF_LOSS, false);
}
//< lesion

static double loss_swapped(const Stack *s, size_t layer) {
    Residual order[LAYERS];
    for (size_t l = 0; l < LAYERS; l++)
        order[l] = s->residuals[l == layer ? l + 1 : l == layer + 1 ? layer : l];
    Stack swapped = *s;
    swapped.residuals = order;
    return fresh_loss(&swapped, ROWS_OF_LOSS, false);
}

static void operate(Run *run, const Stack *s, size_t step, float loss) {
    (void)loss;
    if (step < run->steps) return;
    Lesions *of = run->context;
    of->whole = fresh_loss(s, ROWS_OF_LOSS, false);
    for (size_t l = 0; l < LAYERS; l++) of->without[l] = loss_without(s, l);
    for (size_t l = 0; l + 1 < LAYERS; l++) of->swapped[l] = loss_swapped(s, l);
}

static double mean_rise(const Lesions *of) {
    double sum = 0;
    for (size_t l = 0; l < LAYERS; l++) sum += (of->without[l] - of->whole) / LAYERS;
    return sum;
}

static double mean_swap(const Lesions *of) {
    double sum = 0;
    for (size_t l = 0; l + 1 < LAYERS; l++)
        sum += (of->swapped[l] - of->whole) / (LAYERS - 1);
    return sum;
}

void experiment_lesion(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    double low_without = INFINITY, low_swap = INFINITY, high_with = -INFINITY,
           high_swap = -INFINITY;
    Csv csv =
        csv_begin(settings->out, "lesion", "stack,seed,layer,whole,without,swapped");
    Csv means =
        csv_begin(settings->out, "lesion-mean", "stack,seed,whole,removed,swapped");
    printf("  mean rise of the loss, by seed: one of %d layers removed; two neighbours "
           "swapped\n",
           LAYERS);
    for (size_t i = 0; i < KINDS; i++) {
        for (size_t k = 0; k < seeds; k++) {
            Lesions of = {0};
            run_train(&(Run){.scheme = &schemes[kinds[i]],
                             .depth = LAYERS,
                             .steps = settings->quick ? STEPS / 10 : STEPS,
                             .rate = rates[i],
                             .seed = settings->seed + k,
                             .on_step = operate,
                             .context = &of});
            for (size_t l = 0; l < LAYERS; l++) {
                csv_row(&csv, "%s,%zu,%zu,%.6g,%.6g,%.6g", schemes[kinds[i]].name,
                        k + 1, l + 1, of.whole, of.without[l],
                        l + 1 < LAYERS ? of.swapped[l] : NAN);
            }
            double rise = mean_rise(&of), swap = mean_swap(&of);
            printf("  %-10s whole %.3f, removed +%.3f, swapped +%.3f\n",
                   schemes[kinds[i]].name, of.whole, rise, swap);
            csv_row(&means, "%s,%zu,%.6g,%.6g,%.6g", schemes[kinds[i]].name, k + 1,
                    of.whole, rise, swap);
            if (i == WITH) {
                high_with = larger(high_with, rise);
                high_swap = larger(high_swap, swap);
            } else {
                low_without = smaller(low_without, rise);
                low_swap = smaller(low_swap, swap);
            }
        }
    }
    csv_commit(&csv);
    csv_commit(&means);
    claim(low_without > 3 * high_with,
          "a removed layer costs %.2f or more without connections, with them at most "
          "%.2f",
          low_without, high_with);
    claim(low_swap > 3 * high_swap,
          "a swap costs %.2f or more without connections, with them at most %.2f",
          low_swap, high_swap);
}
