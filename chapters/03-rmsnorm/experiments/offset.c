/* LayerNorm and RMSNorm trained on inputs whose mean grows. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/stack_training.h"
#include "03-rmsnorm/experiments/experiments.h"
#include "03-rmsnorm/norm_training.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum {
    STEPS = 300,
    QUICK_STEPS = 100,
    LONG_STEPS = 2000,
    OFFSETS = 6,
    SEEDS = 3,
    KINDS = 2
};
static const NormKind kinds[KINDS] = {NORM_LAYER, NORM_RMS};

/* losses[k][o][s]: kind, offset, seed. */
static void train_offsets(double losses[KINDS][OFFSETS][SEEDS], const double *offsets,
                          size_t n, size_t seeds, size_t steps, uint64_t first_seed) {
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < KINDS * n * seeds; run++) {
        size_t kind = run % KINDS, offset = run / KINDS % n, s = run / KINDS / n;
        NormTraining config = {.norm = {kinds[kind], 0},
                               .offset = offsets[offset],
                               .steps = steps,
                               .seed = first_seed + s};
        losses[kind][offset][s] = norm_train(&config).loss;
    }
}

void show_offsets(const Settings *settings) {
    enum { N = 3 };
    static const double offsets[N] = {0, 10, 100};
    double losses[KINDS][OFFSETS][SEEDS];
    double guess = teacher_guess_loss(TRAINING_WIDTH, TRAINING_CLASSES);
    train_offsets(losses, offsets, N, 1, QUICK_STEPS, settings->seed);
    printf("The same network after %d steps on inputs with standard deviation 1, all "
           "shifted by the mean:\n\n"
           "mean of the inputs   LayerNorm     RMSNorm    guessing\n",
           QUICK_STEPS);
    for (size_t o = 0; o < N; o++)
        printf("%18g %11.3f %11.3f %11.3f\n", offsets[o], losses[0][o][0],
               losses[1][o][0], guess);
    putchar('\n');
}

/* Does RMSNorm learn at a large offset after 300 steps, or never? */
static void train_longer(const Settings *settings, size_t seeds, double guess) {
    static const double offset = 10;
    double losses[KINDS][OFFSETS][SEEDS];
    size_t steps = settings->quick ? STEPS : LONG_STEPS;
    train_offsets(losses, &offset, 1, seeds, steps, settings->seed);
    Csv csv = csv_begin(settings->out, "offset-long", "seed,steps,offset,layer,rms");
    for (size_t s = 0; s < seeds; s++)
        csv_row(&csv, "%zu,%zu,%g,%.6g,%.6g", (size_t)settings->seed + s, steps, offset,
                losses[0][0][s], losses[1][0][s]);
    csv_commit(&csv);
    double layer = mean_of_last(losses[0][0], seeds, seeds),
           rms = mean_of_last(losses[1][0], seeds, seeds);
    claim(rms < guess - 0.5 && rms > layer + 0.1,
          "RMSNorm at 10 after %zu steps: loss %.3f, late but not lost (LayerNorm "
          "%.3f, guessing %.3f)",
          steps, rms, layer, guess);
}

void experiment_offset(const Settings *settings) {
    static const double offsets[OFFSETS] = {0, 1, 3, 10, 30, 100};
    double losses[KINDS][OFFSETS][SEEDS], moved = 0, mean[KINDS][OFFSETS];
    size_t seeds = settings->quick ? 1 : SEEDS,
           steps = settings->quick ? QUICK_STEPS : STEPS;
    double guess = teacher_guess_loss(TRAINING_WIDTH, TRAINING_CLASSES);
    train_offsets(losses, offsets, OFFSETS, seeds, steps, settings->seed);
    Csv csv = csv_begin(settings->out, "offset", "seed,offset,layer,rms,guess");
    for (size_t s = 0; s < seeds; s++) {
        for (size_t o = 0; o < OFFSETS; o++) {
            csv_row(&csv, "%zu,%g,%.6g,%.6g,%.6g", (size_t)settings->seed + s,
                    offsets[o], losses[0][o][s], losses[1][o][s], guess);
            moved = larger(moved, fabs(losses[0][o][s] - losses[0][0][s]));
        }
    }
    csv_commit(&csv);
    for (size_t o = 0; o < OFFSETS; o++) {
        for (size_t k = 0; k < KINDS; k++)
            mean[k][o] = mean_of_last(losses[k][o], seeds, seeds);
        printf("  mean of the inputs %3g: LayerNorm %.3f, RMSNorm %.3f\n", offsets[o],
               mean[0][o], mean[1][o]);
    }
    claim(moved < 0.05,
          "LayerNorm's loss moves by %.4f at most, less than 0.05: it never sees the "
          "mean",
          moved);
    claim(mean[1][OFFSETS - 1] > guess - 0.05,
          "RMSNorm at 100 has learned nothing in %zu steps: loss %.3f, guessing %.3f",
          steps, mean[1][OFFSETS - 1], guess);
    claim(mean[1][1] < mean[0][1] + 0.1,
          "RMSNorm at 1 is within 0.1 of LayerNorm: %.3f and %.3f", mean[1][1],
          mean[0][1]);
    train_longer(settings, seeds, guess);
}
