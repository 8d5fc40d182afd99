/* Hidden units that no input switches on: how many there are over training, with ReLU
 * and with GELU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/language.h"
#include "04-ffn-swiglu/gelu.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum { D_FF = 192, UNITS = DEPTH * D_FF, STEPS = 1000, QUICK_STEPS = 100, SEEDS = 3 };
enum { LOOK = 50, LOOKS = STEPS / LOOK + 1, KINDS = 2, RATES = 2, LOW = 0, HIGH };
static const FfnKind kinds[KINDS] = {FFN_RELU, FFN_GELU_ERF};
static const double rates[RATES] = {0.003, 0.03};

/* One training run. A unit is off when its input is above 0 at none of the held-out
 * places, and silent when the slope of its activation is below 0.001 at all of them:
 * then nothing reaches its weights. With ReLU that is the same. */
typedef struct {
    const Language *language;
    bool off[LOOKS][UNITS];
    size_t n_off[LOOKS], n_silent[LOOKS];
    size_t ever_off, back_on; /* units that were off at some look; those of them that
                                 are on at the end */
    double loss;
} Watch;

typedef struct {
    float largest_input, largest_slope;
} UnitRange;

/* Over `places` rows of the inputs of the D_FF units of a layer. */
static void unit_ranges(UnitRange ranges[D_FF], FfnKind kind, const float *inputs,
                        size_t places) {
    for (size_t unit = 0; unit < D_FF; unit++) ranges[unit] = (UnitRange){-INFINITY, 0};
    for (size_t p = 0; p < places; p++) {
        float slope[D_FF] = {0}, ones[D_FF];
        for (size_t unit = 0; unit < D_FF; unit++) ones[unit] = 1.0f;
        (kind == FFN_RELU ? relu_backward : gelu_erf_backward)(slope, ones,
                                                               inputs + p * D_FF, D_FF);
        for (size_t unit = 0; unit < D_FF; unit++) {
            UnitRange *r = &ranges[unit];
            r->largest_input = fmaxf(r->largest_input, inputs[p * D_FF + unit]);
            r->largest_slope = fmaxf(r->largest_slope, fabsf(slope[unit]));
        }
    }
}

static void watch(void *context, const Model *m, size_t step) {
    if (step % LOOK != 0) return;
    Watch *w = context;
    size_t look = step / LOOK;
    Tape t = tape_for_inference();
    int *next = checked_alloc(HELD_OUT, sizeof *next);
    Tensor *branch_inputs[DEPTH];
    model_logits(&t, m, held_out_places(&t, w->language, next), branch_inputs);
    for (size_t layer = 0; layer < DEPTH; layer++) {
        UnitRange ranges[D_FF];
        const float *inputs =
            linear(&t, &m->ffns[layer].up, branch_inputs[layer])->data;
        unit_ranges(ranges, m->ffns[layer].kind, inputs, HELD_OUT);
        for (size_t unit = 0; unit < D_FF; unit++) {
            bool off = w->off[look][layer * D_FF + unit] =
                ranges[unit].largest_input <= 0;
            w->n_off[look] += off;
            w->n_silent[look] += ranges[unit].largest_slope < 1e-3f;
        }
    }
    tape_free(&t);
    free(next);
}

static void train_watched(Watch *w, const Language *l, FfnKind kind, double rate,
                          size_t steps, uint64_t seed) {
    ModelConfig config = {.kind = kind,
                          .d_ff = D_FF,
                          .has_bias = true,
                          .rate = (float)rate,
                          .steps = steps,
                          .seed = seed};
    Model m;
    w->language = l;
    model_train(&m, l, &config, watch, w);
    w->loss = model_loss(&m, l);
    model_free(&m);
    for (size_t unit = 0; unit < UNITS; unit++) {
        bool ever = false;
        for (size_t look = 0; look <= steps / LOOK; look++)
            ever = ever || w->off[look][unit];
        w->ever_off += ever;
        w->back_on += ever && !w->off[steps / LOOK][unit];
    }
}

static void write_watches(const Settings *settings, Watch watches[KINDS][RATES][SEEDS],
                          size_t seeds, size_t looks) {
    Csv csv = csv_begin(settings->out, "dead-relus", "rate,kind,seed,step,off,silent");
    Csv ends = csv_begin(settings->out, "dead-relus-end",
                         "rate,kind,seed,ever_off,back_on,loss");
    for (size_t r = 0; r < RATES; r++) {
        for (size_t k = 0; k < KINDS; k++) {
            for (size_t s = 0; s < seeds; s++) {
                const Watch *w = &watches[k][r][s];
                size_t seed = (size_t)settings->seed + s;
                double back =
                    w->ever_off ? (double)w->back_on / (double)w->ever_off : 0;
                for (size_t look = 0; look < looks; look++) {
                    csv_row(&csv, "%g,%s,%zu,%zu,%.4g,%.4g", rates[r],
                            ffn_name(kinds[k]), seed, look * LOOK,
                            (double)w->n_off[look] / UNITS,
                            (double)w->n_silent[look] / UNITS);
                }
                csv_row(&ends, "%g,%s,%zu,%.4g,%.4g,%.6g", rates[r], ffn_name(kinds[k]),
                        seed, (double)w->ever_off / UNITS, back, w->loss);
                printf("rate %-5g %-4s seed %zu: off at the end %5.1f %%, silent %5.1f "
                       "%%; ever off %5.1f "
                       "%%, of these "
                       "back on %5.1f %%; loss %.3f\n",
                       rates[r], ffn_name(kinds[k]), seed,
                       100.0 * (double)w->n_off[looks - 1] / UNITS,
                       100.0 * (double)w->n_silent[looks - 1] / UNITS,
                       100.0 * (double)w->ever_off / UNITS, 100 * back, w->loss);
            }
        }
    }
    csv_commit(&csv);
    csv_commit(&ends);
}

/* The mean over the looks behind the first one. */
static double mean_share(const size_t *n, size_t looks) {
    double sum = 0;
    for (size_t look = 1; look < looks; look++)
        sum += (double)n[look] / UNITS / (double)(looks - 1);
    return sum;
}

void experiment_dead_relus(const Settings *settings) {
    static Watch watches[KINDS][RATES][SEEDS];
    size_t seeds = settings->quick ? 1 : SEEDS,
           steps = settings->quick ? QUICK_STEPS : STEPS, looks = steps / LOOK + 1;
    Language l = language_create();
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < KINDS * RATES * seeds; run++) {
        size_t k = run % KINDS, r = run / KINDS % RATES, s = run / KINDS / RATES;
        train_watched(&watches[k][r][s], &l, kinds[k], rates[r], steps,
                      settings->seed + s);
    }
    language_free(&l);
    write_watches(settings, watches, seeds, looks);

    size_t low = 0;
    double least_relu = INFINITY, least_ratio = INFINITY, most_silent = 0,
           least_back = INFINITY;
    for (size_t s = 0; s < seeds; s++) {
        const Watch *relu = &watches[0][HIGH][s], *gelu = &watches[1][HIGH][s];
        low += watches[0][LOW][s].ever_off;
        least_relu = smaller(least_relu, mean_share(relu->n_off, looks));
        least_ratio = smaller(least_ratio, mean_share(relu->n_off, looks) /
                                               mean_share(gelu->n_off, looks));
        most_silent = larger(most_silent, mean_share(gelu->n_silent, looks));
        least_back =
            smaller(least_back, (double)relu->back_on / (double)relu->ever_off);
    }
    claim(low == 0, "ReLU at rate %g: %zu units are off at any look of any seed",
          rates[LOW], low);
    claim(least_relu > 0.05,
          "ReLU at rate %g: %.0f %% of the units are off on average, or more (above 5 "
          "%%)",
          rates[HIGH], 100 * least_relu);
    claim(least_ratio > 1,
          "GELU at rate %g: fewer in each seed, by a factor of %.1f or more (above 1)",
          rates[HIGH], least_ratio);
    claim(most_silent < 0.01,
          "GELU at rate %g: %.2f %% have no slope anywhere (below 1 %%)", rates[HIGH],
          100 * most_silent);
    claim(least_back > 0.1,
          "ReLU: of the units that were off, %.0f %% or more are on at the end (above "
          "10 %%)",
          100 * least_back);
}
