/* The learning rate's effect at the end of a run: it follows a cosine to its end or to
 * its middle, stays high, or has been low throughout. */
#include <math.h>
#include <stdio.h>

#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { STEPS = 800, POINTS = 10 };
enum { COSINE, STOPPED, CONSTANT, CONSTANT_LOW, KINDS };
static const char *const names[KINDS] = {"cosine", "stopped-half-way", "constant",
                                         "constant-low"};

typedef struct {
    double rate[POINTS], validation[POINTS];
} ScheduleRun;

typedef struct {
    size_t n_seeds, n_steps;
    ScheduleRun run[KINDS][RUN_SEEDS];
} Schedules;

static void set_schedule(TrainSettings *s, size_t kind) {
    if (kind == STOPPED) s->steps *= 2;
    if (kind == CONSTANT) s->lowest_rate = s->learning_rate;
    if (kind == CONSTANT_LOW) s->learning_rate = s->lowest_rate;
}

static void train(ScheduleRun *run, const Language *l, size_t kind, size_t n_steps,
                  uint64_t seed) {
    TrainSettings s = language_settings(l, 2, 32, 4, n_steps, 0.01, seed);
    set_schedule(&s, kind);
    Trainer t = trainer_create(&s, &l->data, NULL);
    for (size_t i = 0; i < POINTS; i++) {
        while (t.step < (i + 1) * n_steps / POINTS) trainer_step(&t);
        run->rate[i] = (double)t.log[t.step - 1].learning_rate;
        run->validation[i] = trainer_validate(&t, 0);
    }
    trainer_free(&t);
}

static void write_losses(const Schedules *s, const char *directory) {
    Csv csv = csv_begin(directory, "schedule", "schedule,step,seed,rate,validation");
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < POINTS; i++) {
            for (size_t k = 0; k < s->n_seeds; k++) {
                const ScheduleRun *run = &s->run[kind][k];
                csv_row(&csv, "%s,%zu,%zu,%.6g,%.6g", names[kind],
                        (i + 1) * s->n_steps / POINTS, k + 1, run->rate[i],
                        run->validation[i]);
            }
        }
    }
    csv_commit(&csv);
}

static void print_ends(const Schedules *s) {
    printf("validation loss at the end, by seed\n");
    for (size_t kind = 0; kind < KINDS; kind++) {
        printf("  %-26s", names[kind]);
        for (size_t k = 0; k < s->n_seeds; k++)
            printf(" %6.3f", s->run[kind][k].validation[POINTS - 1]);
        printf("\n");
    }
}

/* The final loss of `kind` less the cosine's, the least over the seeds. */
static double least_above_cosine(const Schedules *s, size_t kind) {
    double least = INFINITY;
    for (size_t k = 0; k < s->n_seeds; k++)
        least = smaller(least, s->run[kind][k].validation[POINTS - 1] -
                                   s->run[COSINE][k].validation[POINTS - 1]);
    return least;
}

void experiment_schedule(const Settings *settings) {
    static Schedules s;
    s.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    s.n_steps = settings->quick ? STEPS / 4 : STEPS;
    Language l = language_create(settings->seed);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < KINDS * s.n_seeds; run++) {
        size_t kind = run / s.n_seeds, k = run % s.n_seeds;
        train(&s.run[kind][k], &l, kind, s.n_steps, settings->seed + k);
    }
    write_losses(&s, settings->out);
    print_ends(&s);
    for (size_t kind = STOPPED; kind < KINDS; kind++) {
        double above = least_above_cosine(&s, kind);
        claim(above > 0.02,
              "%s: %.3f nats or more above the cosine at the end, above 0.02",
              names[kind], above);
    }
    language_free(&l);
}
