/* One bad batch in the middle of a training: with and without clipping, and with
 * AdamW's moments, or one of them, put back behind it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum { STEPS = 200, LAST = 20, NOISE_TOKENS = 100000 };
enum { FREE, FREE_BAD, BACK_M, BACK_V, BACK_BOTH, CLIPPED, CLIPPED_BAD, KINDS };
typedef struct {
    const char *name, *restored; /* which moments are put back behind the bad step */
    bool clipped, bad;
} Kind;
static const Kind kinds[KINDS] = {
    [FREE] = {.name = "not clipped, no bad batch", .restored = "none"},
    [FREE_BAD] = {.name = "not clipped", .restored = "none", .bad = true},
    [BACK_M] = {.name = "  first moment put back", .restored = "m", .bad = true},
    [BACK_V] = {.name = "  second moment put back", .restored = "v", .bad = true},
    [BACK_BOTH] = {.name = "  both put back", .restored = "mv", .bad = true},
    [CLIPPED] = {.name = "clipped, no bad batch", .restored = "none", .clipped = true},
    [CLIPPED_BAD] = {.name = "clipped to 1",
                     .restored = "none",
                     .clipped = true,
                     .bad = true},
};

typedef struct {
    double loss[STEPS];
    double usual, bad; /* gradient norms: the mean of the ten steps before the bad one,
                          and its own */
    double end;        /* mean loss of the last steps */
} BadRun;

typedef struct {
    size_t n_seeds, n_steps, bad_step;
    Language language;
    Dataset noise;
    BadRun run[KINDS][RUN_SEEDS];
} BadBatch;

/* A text that teaches nothing: a picture, say, that got among the stories. */
static Dataset noise(const Dataset *like, uint64_t seed) {
    Dataset d = {.n_vocab = like->n_vocab, .train.n = NOISE_TOKENS};
    d.train.tokens = checked_alloc(NOISE_TOKENS, sizeof *d.train.tokens);
    Random r = random_create(seed);
    for (size_t i = 0; i < NOISE_TOKENS; i++) {
        d.train.tokens[i] = (int)random_below(&r, (uint32_t)d.n_vocab);
    }
    return d;
}

/* A step whose moments, those of them that `restored` names, are then as before. */
static StepLog step_and_restore(Trainer *t, const char *restored) {
    size_t bytes = t->optimizer.n * sizeof(float);
    float *m = checked_alloc(t->optimizer.n, sizeof *m),
          *v = checked_alloc(t->optimizer.n, sizeof *v);
    memcpy(m, t->optimizer.m, bytes);
    memcpy(v, t->optimizer.v, bytes);
    StepLog log = trainer_step(t);
    if (strchr(restored, 'm')) memcpy(t->optimizer.m, m, bytes);
    if (strchr(restored, 'v')) memcpy(t->optimizer.v, v, bytes);
    free(m);
    free(v);
    return log;
}

static void train(BadBatch *b, const Kind *kind, BadRun *run, uint64_t seed) {
    TrainSettings s = language_settings(&b->language, 2, 32, 8, b->n_steps, 0.01, seed);
    s.max_norm = kind->clipped ? 1 : 0;
    Trainer t = trainer_create(&s, &b->language.data, NULL);
    run->usual = 0;
    for (size_t step = 1; step <= b->n_steps; step++) {
        bool bad = step == b->bad_step && kind->bad;
        t.data = bad ? &b->noise : &b->language.data;
        const char *restored = strcmp(kind->restored, "none") ? kind->restored : "";
        StepLog log = bad ? step_and_restore(&t, restored) : trainer_step(&t);
        run->loss[step - 1] = (double)log.loss;
        if (step == b->bad_step) run->bad = (double)log.grad_norm;
        if (step < b->bad_step && step + 10 >= b->bad_step)
            run->usual += (double)log.grad_norm / 10;
    }
    run->end = mean_of_last(run->loss, b->n_steps, LAST);
    trainer_free(&t);
}

static void write_losses(const BadBatch *b, const char *directory) {
    Csv csv =
        csv_begin(directory, "bad-batch", "clipped,bad,step,loss,low,high,restored");
    Csv ends = csv_begin(directory, "bad-batch-end",
                         "clipped,bad,seed,usual,norm,end,restored");
    for (size_t i = 0; i < KINDS; i++) {
        const BadRun *runs = b->run[i];
        const Kind *kind = &kinds[i];
        for (size_t step = 0; step < b->n_steps; step++) {
            double mean = 0, low = INFINITY, high = -INFINITY;
            for (size_t k = 0; k < b->n_seeds; k++) {
                mean += runs[k].loss[step] / (double)b->n_seeds;
                low = smaller(low, runs[k].loss[step]);
                high = larger(high, runs[k].loss[step]);
            }
            csv_row(&csv, "%d,%d,%zu,%.6g,%.6g,%.6g,%s", kind->clipped, kind->bad,
                    step + 1, mean, low, high, kind->restored);
        }
        for (size_t k = 0; k < b->n_seeds; k++) {
            csv_row(&ends, "%d,%d,%zu,%.6g,%.6g,%.6g,%s", kind->clipped, kind->bad,
                    k + 1, runs[k].usual, runs[k].bad, runs[k].end, kind->restored);
        }
    }
    csv_commit(&csv);
    csv_commit(&ends);
}

static void print_ends(const BadBatch *b) {
    printf("step %zu of %zu is a batch of random tokens; loss of the last %d steps by "
           "seed, gradient norm\n",
           b->bad_step, b->n_steps, LAST);
    for (size_t kind = 0; kind < KINDS; kind++) {
        printf("  %-26s", kinds[kind].name);
        for (size_t k = 0; k < b->n_seeds; k++) printf(" %6.3f", b->run[kind][k].end);
        printf("   %5.2f before, %5.2f there\n", b->run[kind][0].usual,
               b->run[kind][0].bad);
    }
}

typedef struct {
    double least, most;
} Range;

/* The final loss of run `kind` less that of run `than` with the same seed. */
static Range above(const BadBatch *b, size_t kind, size_t than) {
    Range r = {INFINITY, -INFINITY};
    for (size_t k = 0; k < b->n_seeds; k++) {
        double more = b->run[kind][k].end - b->run[than][k].end;
        r.least = smaller(r.least, more);
        r.most = larger(r.most, more);
    }
    return r;
}

static void claim_costs(const BadBatch *b) {
    Range bad = above(b, FREE_BAD, FREE), clipped = above(b, CLIPPED_BAD, CLIPPED);
    Range both = above(b, BACK_BOTH, FREE), m = above(b, BACK_M, FREE_BAD),
          v = above(b, BACK_V, FREE_BAD);
    claim(bad.least > 0.05,
          "not clipped, the bad batch costs %.3f to %.3f nats at the end, in each seed "
          "above 0.05",
          bad.least, bad.most);
    claim(both.most < 0.02,
          "with both moments put back it costs %+.3f to %+.3f, in each seed below 0.02",
          both.least, both.most);
    claim(m.most < -0.01 && v.least > 0.01,
          "the first alone put back saves %.3f to %.3f of it, the second alone adds "
          "%.3f to %.3f",
          -m.most, -m.least, v.least, v.most);
    claim(clipped.most < 0.02,
          "clipped, it costs %+.3f to %+.3f, in each seed below 0.02", clipped.least,
          clipped.most);
}

void experiment_bad_batch(const Settings *settings) {
    static BadBatch b;
    b.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    b.n_steps = settings->quick ? STEPS / 4 : STEPS;
    b.bad_step = b.n_steps / 2;
    b.language = language_create(settings->seed);
    b.noise = noise(&b.language.data, settings->seed);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < KINDS * b.n_seeds; run++) {
        size_t kind = run / b.n_seeds, k = run % b.n_seeds;
        train(&b, &kinds[kind], &b.run[kind][k], settings->seed + k);
    }
    write_losses(&b, settings->out);
    print_ends(&b);
    claim_costs(&b);
    dataset_free(&b.noise);
    language_free(&b.language);
}
