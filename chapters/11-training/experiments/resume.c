/* A training that goes on without the moments of AdamW, beside the one that was never
 * interrupted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { STEPS = 200, STOP = 100 };
enum { WHOLE, WITHOUT_MOMENTS, WITHOUT_STEP, KINDS };
static const char *const names[KINDS] = {"whole", "without moments",
                                         "without moments and step"};

typedef struct {
    double loss[STEPS];
} ResumeRun;

static void train(ResumeRun *run, size_t kind, size_t steps, const Language *l,
                  uint64_t seed) {
    TrainSettings s = language_settings(l, 2, 32, 8, steps, 0.01, seed);
    Trainer t = trainer_create(&s, &l->data, NULL);
    while (t.step < steps) {
        if (t.step == steps / 2 && kind != WHOLE) {
            memset(t.optimizer.m, 0, t.optimizer.n * sizeof(float));
            memset(t.optimizer.v, 0, t.optimizer.n * sizeof(float));
            if (kind == WITHOUT_STEP) t.optimizer.step = 0;
        }
        size_t step = t.step;
        run->loss[step] = (double)trainer_step(&t).loss;
    }
    trainer_free(&t);
}

typedef struct {
    size_t n_seeds, n_steps;
    ResumeRun run[KINDS][RUN_SEEDS];
} Resume;

static double above(const Resume *r, size_t kind, size_t k, size_t step) {
    return r->run[kind][k].loss[step] - r->run[WHOLE][k].loss[step];
}

static void write_losses(const Resume *r, const char *directory) {
    Csv csv = csv_begin(directory, "resume", "run,step,seed,loss,above");
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < r->n_steps; i++) {
            for (size_t k = 0; k < r->n_seeds; k++) {
                csv_row(&csv, "%s,%zu,%zu,%.6g,%.6g", names[kind], i + 1, k + 1,
                        r->run[kind][k].loss[i], above(r, kind, k, i));
            }
        }
    }
    csv_commit(&csv);
}

typedef struct {
    double peak, end;
} Cost;

/* The most that a run is above the whole one at a step, and the mean of the last ten
 * steps. */
static Cost cost_of(const Resume *r, size_t kind, size_t k) {
    Cost c = {-INFINITY, 0};
    for (size_t i = r->n_steps / 2; i < r->n_steps; i++)
        c.peak = larger(c.peak, above(r, kind, k, i));
    for (size_t i = r->n_steps - 10; i < r->n_steps; i++)
        c.end += above(r, kind, k, i) / 10;
    return c;
}

static void claim_costs(const Resume *r, size_t kind) {
    double least = INFINITY, most = -INFINITY, end = 0;
    for (size_t k = 0; k < r->n_seeds; k++) {
        Cost c = cost_of(r, kind, k);
        least = smaller(least, c.peak);
        most = larger(most, c.peak);
        end = larger(end, fabs(c.end));
    }
    claim(least > 0.03 && end < 0.03,
          "%s: at most %.3f to %.3f above the whole run, by seed (above 0.03); %.3f "
          "apart at the end (below "
          "0.03)",
          names[kind], least, most, end);
}

void experiment_resume(const Settings *settings) {
    static Resume r;
    r.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    r.n_steps = settings->quick ? STEPS / 4 : STEPS;
    Language l = language_create(settings->seed);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < KINDS * r.n_seeds; run++) {
        size_t kind = run / r.n_seeds, k = run % r.n_seeds;
        train(&r.run[kind][k], kind, r.n_steps, &l, settings->seed + k);
    }
    write_losses(&r, settings->out);
    for (size_t kind = WITHOUT_MOMENTS; kind < KINDS; kind++) claim_costs(&r, kind);
    language_free(&l);
}
