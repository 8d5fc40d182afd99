/* Training with activations and gradients in 16 bits, beside float32: bf16, and f16 by
 * the scale of the loss. */
#include <math.h>
#include <stdio.h>

#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "11-training/experiments/mixed_rounding.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { STEPS = 200, GROW_AFTER = 50 };

typedef struct {
    const char *name;
    Precision precision;
    double scale;             /* of the loss; 0: 2^15, halved and doubled as needed */
    bool weights_in_16;       /* no float32 copy to update */
    bool norm, softmax, loss; /* sums in 16 bits, too */
} Kind;

enum { F32, BF16, NORM, SOFTMAX, LOSS, WEIGHTS, F16, SCALES, KINDS = 16 };
static const Kind kinds[KINDS] = {
    [F32] = {.name = "float32", .scale = 1},
    [BF16] = {.name = "bf16", .precision = PRECISION_BFLOAT16, .scale = 1},
    [NORM] = {.name = "bf16_norm",
              .precision = PRECISION_BFLOAT16,
              .scale = 1,
              .norm = true},
    [SOFTMAX] = {.name = "bf16_softmax",
                 .precision = PRECISION_BFLOAT16,
                 .scale = 1,
                 .softmax = true},
    [LOSS] = {.name = "bf16_loss",
              .precision = PRECISION_BFLOAT16,
              .scale = 1,
              .loss = true},
    [WEIGHTS] = {.name = "bf16_weights",
                 .precision = PRECISION_BFLOAT16,
                 .scale = 1,
                 .weights_in_16 = true},
    [F16] = {.name = "f16_dynamic", .precision = PRECISION_FLOAT16},
    [SCALES] = {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p-12},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p-8},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p-4},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 1},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p4},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p8},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p12},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p16},
    {.name = "f16", .precision = PRECISION_FLOAT16, .scale = 0x1p20},
};

typedef struct {
    double validation, underflow, scale; /* of the last step */
    size_t skipped, activations;         /* activations: numbers in a step */
} MixedRun;

static TrainSettings settings_of(const Language *l, size_t steps, uint64_t seed) {
    return language_settings(l, 2, 32, 8, steps, 0.01, seed);
}

static size_t skipped_steps(const Trainer *t) {
    size_t n = 0;
    for (size_t i = 0; i < t->step; i++) n += isnan(t->log[i].grad_norm);
    return n;
}

static void round_weights(const Trainer *t) {
    const Params *params = &t->model->params;
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        round_floats(t->settings.precision, x->data, tensor_size(x));
    }
}

static MixedRun train(const Kind *kind, const Language *l, size_t steps,
                      uint64_t seed) {
    TrainSettings s = settings_of(l, steps, seed);
    s.precision = kind->precision;
    Trainer t = trainer_create(&s, &l->data, NULL);
    bool dynamic = kind->scale == 0;
    t.mixed.scale = (LossScale){.factor = dynamic ? 0x1p15f : (float)kind->scale,
                                .grow_after = dynamic ? GROW_AFTER : 0};
    Rounding rounding = {.precision = kind->precision,
                         .norm = kind->norm,
                         .softmax = kind->softmax,
                         .loss = kind->loss,
                         .n_head = s.model.block.n_head,
                         .norm_eps = s.model.block.norm_eps,
                         .targets = t.targets};
    t.tape.watch = rounding_watch;
    t.tape.watch_context = &rounding;
    while (t.step < steps) {
        rounding.activations = 0;
        trainer_step(&t);
        if (kind->weights_in_16) round_weights(&t);
    }
    MixedRun run = {.validation = trainer_validate(&t, 0),
                    .underflow =
                        (double)rounding.underflowed / (double)rounding.gradients,
                    .scale = (double)t.mixed.scale.factor,
                    .skipped = skipped_steps(&t),
                    .activations = rounding.activations};
    trainer_free(&t);
    return run;
}

typedef struct {
    size_t n_seeds, n_steps;
    MixedRun run[KINDS][RUN_SEEDS];
} Runs;

/* A kind's final loss less float32's with the same seed: lowest, mean and highest. */
typedef struct {
    double least, mean, most;
} Above;

static Above above(const Runs *r, size_t kind) {
    Above a = {INFINITY, 0, -INFINITY};
    for (size_t k = 0; k < r->n_seeds; k++) {
        double x = r->run[kind][k].validation - r->run[F32][k].validation;
        a.least = smaller(a.least, x);
        a.most = larger(a.most, x);
        a.mean += x / (double)r->n_seeds;
    }
    return a;
}

static void write_runs(const Runs *r, const char *directory) {
    Csv csv = csv_begin(directory, "mixed-precision",
                        "kind,scale,seed,validation,above,underflow,skipped,"
                        "activations");
    for (size_t i = 0; i < KINDS; i++) {
        for (size_t k = 0; k < r->n_seeds; k++) {
            const MixedRun *run = &r->run[i][k];
            csv_row(&csv, "%s,%.6g,%zu,%.6g,%.6g,%.6g,%zu,%zu", kinds[i].name,
                    run->scale, k + 1, run->validation,
                    run->validation - r->run[F32][k].validation, run->underflow,
                    run->skipped, run->activations);
        }
    }
    csv_commit(&csv);
}

static void print_runs(const Runs *r) {
    printf("validation loss above float32's: mean, lowest and highest of the seeds\n"
           "  %-14s %10s %8s %8s %8s %10s %8s\n",
           "kind", "last scale", "mean", "lowest", "highest", "underflow", "skipped");
    for (size_t i = 0; i < KINDS; i++) {
        Above a = above(r, i);
        const MixedRun *run = &r->run[i][0];
        printf("  %-14s %10.3g %+8.3f %+8.3f %+8.3f %10.4f %8zu\n", kinds[i].name,
               run->scale, a.mean, a.least, a.most, run->underflow, run->skipped);
    }
}

/* The lowest, or where `largest` the highest, number of a kind over the seeds. */
static double extreme(const Runs *r, size_t kind, bool largest,
                      double (*of)(const MixedRun *run)) {
    double found = of(&r->run[kind][0]);
    for (size_t k = 1; k < r->n_seeds; k++) {
        double x = of(&r->run[kind][k]);
        found = largest ? larger(found, x) : smaller(found, x);
    }
    return found;
}

static double underflow_of(const MixedRun *run) {
    return run->underflow;
}

static double skipped_of(const MixedRun *run) {
    return (double)run->skipped;
}

/* Within `most` of float32 in each seed. */
static void claim_near(const Runs *r, size_t kind, double most) {
    Above a = above(r, kind);
    claim(a.most < most && a.least > -most,
          "%s ends %+.3f to %+.3f from float32, within %.2f", kinds[kind].name, a.least,
          a.most, most);
}

static void claim_runs(const Runs *r, double plain) {
    Above least = above(r, SCALES), weights = above(r, WEIGHTS);
    claim(plain == r->run[F32][0].validation,
          "float32 under the watch ends at %.6f, without it at %.6f: the same",
          r->run[F32][0].validation, plain);
    static const size_t near[] = {BF16, NORM, SOFTMAX, LOSS, F16};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        claim_near(r, near[i], 0.03);
    claim(weights.least > 0.01,
          "weights in bf16 alone cost %.3f to %.3f, in each seed above 0.01",
          weights.least, weights.most);
    claim(
        extreme(r, SCALES, false, underflow_of) > 0.5 && least.least > 0.5,
        "f16, the loss scaled by 2^-12: %.2f of the gradients or more become 0 (above "
        "0.5), and it ends %.2f or more above float32 (above 0.5)",
        extreme(r, SCALES, false, underflow_of), least.least);
    claim(extreme(r, KINDS - 1, false, skipped_of) > 0.9 * (double)r->n_steps,
          "f16, scaled by 2^20: %.0f steps or more of %zu overflow",
          extreme(r, KINDS - 1, false, skipped_of), r->n_steps);
}

void experiment_mixed_precision(const Settings *settings) {
    static Runs r;
    r.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    r.n_steps = settings->quick ? STEPS / 4 : STEPS;
    Language l = language_create(settings->seed);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < KINDS * r.n_seeds; run++) {
        size_t kind = run / r.n_seeds, k = run % r.n_seeds;
        r.run[kind][k] = train(&kinds[kind], &l, r.n_steps, settings->seed + k);
    }
    write_runs(&r, settings->out);
    print_runs(&r);
    TrainSettings s = settings_of(&l, r.n_steps, settings->seed);
    claim_runs(&r, language_train(&l, &s));
    language_free(&l);
}
