/* How far the output moves when every weight moves by one percent, and in Adam's first
 * step (Liu et al. 2020). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "05-residual-blocks/experiments/schemes.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum {
    KINDS = 4,
    DEPTHS = 6,
    MAX_SEEDS = 40,
    INPUTS = 16,
    STREAM_PROBE = 1,
    STREAM_NOISE
};

static const size_t kinds[KINDS] = {POST, PRE, PRE_SCALED, ADMIN};
enum { AS_POST, AS_PRE, AS_PRE_SCALED, AS_ADMIN };
static const size_t depths[DEPTHS] = {3, 6, 12, 24, 48, 96};

/* Adds noise of `share` of its root mean square to each weight of the sublayers. */
static void disturb(const Stack *s, Random *noise, float share) {
    for (size_t l = 0; l < s->config.depth; l++) {
        Tensor *weights[] = {s->mlps[l].up.weight, s->mlps[l].down.weight};
        for (size_t i = 0; i < 2; i++) {
            Tensor *w = weights[i];
            size_t n = tensor_size(w);
            float size = share * (float)sqrt(tensor_mean_square(w)),
                  *numbers = checked_alloc(n, sizeof *numbers);
            random_fill_normal(noise, numbers, n, 1.0f);
            for (size_t j = 0; j < n; j++) w->data[j] += size * numbers[j];
            free(numbers);
        }
    }
}

//> shift
static double shift(const Scheme *scheme, size_t depth, uint64_t seed) {
    Network n = network_create(scheme, D_MODEL, 2 * D_MODEL, seed, depth);
    Random data = random_stream(seed, STREAM_PROBE),
           noise = random_stream(seed, STREAM_NOISE);
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){INPUTS, D_MODEL}, false);
    random_fill_normal(&data, x->data, INPUTS * D_MODEL, 1.0f);
    Tensor *before = stack(&t, &n.stack, x);
    disturb(&n.stack, &noise, 0.01f);
    double moved = tensor_mean_square(
        tape_add(&t, stack(&t, &n.stack, x), tape_scale(&t, before, -1.0f)));
    tape_free(&t);
    network_free(&n);
    return moved;
}
//< shift

/* --- Adam's first step --- */

typedef struct {
    Tensor *x; /* the inputs of all */
    Tape tape; /* holds x and the output before the step */
    Tensor *before;
    double moved;
} Probe;

static void watch_step(Run *run, const Stack *s, size_t step, float loss) {
    (void)loss;
    Probe *p = run->context;
    Stack headless = *s;
    headless.config.n_out = 0;
    Tensor *now = stack(&p->tape, &headless, p->x);
    if (step == 1)
        p->before = now;
    else
        p->moved = tensor_mean_square(
            tape_add(&p->tape, now, tape_scale(&p->tape, p->before, -1.0f)));
}

/* The same measure; the weights move as a training moves them: before its second step
 * they have moved once. */
static double step_shift(const Scheme *scheme, size_t depth, uint64_t seed) {
    Probe p = {.tape = tape_for_inference()};
    Random data = random_stream(seed, STREAM_PROBE);
    p.x = tape_tensor(&p.tape, 2, (size_t[]){INPUTS, WIDTH}, false);
    random_fill_normal(&data, p.x->data, INPUTS * WIDTH, 1.0f);
    run_train(&(Run){.scheme = scheme,
                     .depth = depth,
                     .steps = 2,
                     .rate = 0.001,
                     .seed = seed,
                     .on_step = watch_step,
                     .context = &p});
    tape_free(&p.tape);
    return p.moved;
}

/* --- both, by scheme and depth --- */

typedef double Shift(const Scheme *scheme, size_t depth, uint64_t seed);

typedef struct {
    double mean[KINDS][DEPTHS], slope[KINDS];
} Shifts;

static Shifts measure(Shift *shift_of, const char *name, const Settings *settings) {
    size_t seeds = settings->quick ? 4 : MAX_SEEDS;
    Shifts all;
    double x[DEPTHS], one[MAX_SEEDS];
    char slopes_name[64];
    snprintf(slopes_name, sizeof slopes_name, "%s-slope", name);
    Csv csv = csv_begin(settings->out, name, "scheme,layers,shift,low,high");
    Csv slopes = csv_begin(settings->out, slopes_name, "scheme,slope");
    printf("  %-10s", "layers");
    for (size_t d = 0; d < DEPTHS; d++) printf(" %8zu", depths[d]);
    printf("   slope\n");
    for (size_t i = 0; i < KINDS; i++) {
        const char *scheme = schemes[kinds[i]].name;
        printf("  %-10s", scheme);
        for (size_t d = 0; d < DEPTHS; d++) {
            for (size_t k = 0; k < seeds; k++)
                one[k] = shift_of(&schemes[kinds[i]], depths[d], settings->seed + k);
            all.mean[i][d] = geometric_mean(one, seeds);
            x[d] = (double)depths[d];
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", scheme, depths[d], all.mean[i][d],
                    quantile(one, seeds, 0.25), quantile(one, seeds, 0.75));
            printf(" %8.2g", all.mean[i][d]);
        }
        all.slope[i] = fit_exponent(x, all.mean[i], DEPTHS);
        printf(" %7.2f\n", all.slope[i]);
        csv_row(&slopes, "%s,%.6g", scheme, all.slope[i]);
    }
    csv_commit(&csv);
    csv_commit(&slopes);
    return all;
}

static void claim_noise(const Shifts *s) {
    claim(fabs(s->slope[AS_POST] - 0.93) < 0.15,
          "post-LN: the shift grows as L^%.2f, expected about 0.9", s->slope[AS_POST]);
    claim(s->slope[AS_PRE] < 0.45, "pre-LN: as L^%.2f, below 0.45", s->slope[AS_PRE]);
    claim(s->slope[AS_ADMIN] < 0.45, "Admin: as L^%.2f, below 0.45",
          s->slope[AS_ADMIN]);
    const double *pre = s->mean[AS_PRE];
    double early = pre[2] - pre[1], late = pre[5] - pre[4];
    claim(late < 2 * early && late > early / 2,
          "pre-LN: doubling 48 adds %.2g, doubling 6 %.2g: logarithmic, within a "
          "factor of 2",
          late, early);
    claim(s->mean[AS_PRE_SCALED][DEPTHS - 1] < pre[DEPTHS - 1],
          "GPT-2's scaling: %.2g at 96 layers, below %.2g",
          s->mean[AS_PRE_SCALED][DEPTHS - 1], pre[DEPTHS - 1]);
}

/* Noise adds up like independent numbers. A step does not: all layers move to the same
 * end. */
static void claim_step(const Shifts *step, const Shifts *noise) {
    const size_t twelve = 2, twenty_four = 3;
    for (size_t d = twelve; d <= twenty_four; d++) {
        const size_t calm[] = {AS_PRE, AS_ADMIN};
        for (size_t i = 0; i < 2; i++) {
            double ratio = step->mean[AS_POST][d] / step->mean[calm[i]][d];
            claim(ratio > 2,
                  "Adam's step, %zu layers: post-LN moves %.1f times as far as %s "
                  "(above 2)",
                  depths[d], ratio, schemes[kinds[calm[i]]].name);
        }
    }
    claim(step->slope[AS_PRE] > noise->slope[AS_PRE] + 0.5,
          "pre-LN: the step's shift grows as L^%.2f, faster than the noise's by more "
          "than 0.5",
          step->slope[AS_PRE]);
}

void experiment_output_shift(const Settings *settings) {
    printf("  every weight moved by one percent\n");
    Shifts noise = measure(shift, "output-shift", settings);
    printf("  every weight moved by Adam's first step, at rate 0.001\n");
    Shifts step = measure(step_shift, "step-shift", settings);
    claim_noise(&noise);
    claim_step(&step, &noise);
}
