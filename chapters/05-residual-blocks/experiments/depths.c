/* How many steps a stack needs to learn something, against its depth, for every way to
 * join. */
#include <math.h>
#include <stdio.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { KINDS = 7, DEPTHS = 6, RATES = 2, STEPS = 400, SMOOTH = 20 };

static const size_t kinds[KINDS] = {NONE, PLAIN, POST, PRE, REZERO, FIXUP, ADMIN};
enum { AS_NONE, AS_PLAIN, AS_POST, AS_PRE, AS_REZERO, AS_FIXUP, AS_ADMIN };
static const size_t depths[DEPTHS] = {2, 4, 8, 16, 32, 64};
static const double rates[RATES] = {0.001, 0.004};
static const double learned = 1.2; /* nats; guessing is 1.77 */

/* The first step at which the mean of SMOOTH losses is below `learned`. */
typedef struct {
    double recent[SMOOTH];
    size_t reached; /* 0: never */
} Watched;

static void watch(Run *run, const Stack *s, size_t step, float loss) {
    (void)s;
    Watched *w = run->context;
    w->recent[step % SMOOTH] = (double)loss;
    if (w->reached || step < SMOOTH) return;
    double mean = 0;
    for (size_t i = 0; i < SMOOTH; i++) mean += w->recent[i] / SMOOTH;
    if (mean < learned) w->reached = step;
}

/* Steps at the better of the rates: the mean over the seeds; NAN when a seed never gets
 * there. */
typedef struct {
    /* loss: the mean at the end, at the rate with the lowest one */
    double steps, rate, loss;
    double low, high; /* the fewest and most steps of a seed */
    size_t failed; /* seeds that never get there, at the rate with the fewest of them */
} Reached;

static Reached measure(size_t kind, size_t depth, const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    Reached best = {.steps = INFINITY, .loss = INFINITY, .failed = seeds};
    for (size_t r = 0; r < RATES; r++) {
        Reached at = {.rate = rates[r], .low = INFINITY};
        for (size_t k = 0; k < seeds; k++) {
            Watched w = {0};
            at.loss += run_train(&(Run){.scheme = &schemes[kinds[kind]],
                                        .depth = depth,
                                        .steps = settings->quick ? STEPS / 10 : STEPS,
                                        .rate = rates[r],
                                        .seed = settings->seed + k,
                                        .on_step = watch,
                                        .context = &w}) /
                       (double)seeds;
            at.failed += w.reached == 0;
            at.steps += (double)w.reached / (double)seeds;
            at.low = smaller(at.low, (double)w.reached);
            at.high = larger(at.high, (double)w.reached);
        }
        bool better =
            at.failed < best.failed ||
            (at.failed == best.failed && at.failed == 0 && at.steps < best.steps) ||
            (at.failed == best.failed && at.failed && at.loss < best.loss);
        if (better) best = at;
    }
    return best;
}

static void claim_depths(const Reached table[KINDS][DEPTHS], size_t seeds) {
    const size_t deepest = DEPTHS - 1, deep = DEPTHS - 2;
    claim(table[AS_POST][deep].failed == seeds && table[AS_PLAIN][deep].failed == seeds,
          "32 layers: plain misses %.1f in %zu of %zu seeds, post-LN in %zu", learned,
          table[AS_PLAIN][deep].failed, seeds, table[AS_POST][deep].failed);
    const size_t trained[] = {AS_PRE, AS_REZERO, AS_FIXUP, AS_ADMIN};
    for (size_t i = 0; i < sizeof trained / sizeof *trained; i++) {
        const Reached *at = &table[trained[i]][deepest];
        claim(at->failed == 0,
              "64 layers: %s reaches it in %zu of %zu seeds, after %.0f steps",
              schemes[kinds[trained[i]]].name, seeds - at->failed, seeds, at->steps);
    }
}

/* SkipInit is another paper's road to ReZero's arithmetic: without norms the two are
 * one network. */
static void claim_skipinit(const Settings *settings) {
    Run rezero = {.scheme = &schemes[REZERO],
                  .depth = 8,
                  .steps = 40,
                  .rate = 0.004,
                  .seed = settings->seed};
    Run skipinit = rezero;
    skipinit.scheme = &schemes[SKIPINIT];
    double difference = run_train(&rezero) - run_train(&skipinit);
    claim(difference == 0,
          "SkipInit and ReZero, trained alike, differ in their loss by %g", difference);
}

void experiment_depths(const Settings *settings) {
    static Reached table[KINDS][DEPTHS];
    Csv csv = csv_begin(settings->out, "depths",
                        "scheme,layers,rate,steps,low,high,failed,loss");
    Progress progress = progress_begin("depths", KINDS * DEPTHS);
    printf("  steps to a loss of %g by depth\n  %-10s", learned, "");
    for (size_t d = 0; d < DEPTHS; d++) printf(" %6zu", depths[d]);
    putchar('\n');
    for (size_t i = 0; i < KINDS; i++) {
        const char *name = schemes[kinds[i]].name;
        printf("  %-10s", name);
        for (size_t d = 0; d < DEPTHS; d++) {
            table[i][d] = measure(i, depths[d], settings);
            const Reached *at = &table[i][d];
            if (at->failed) {
                csv_row(&csv, "%s,%zu,%g,never,never,never,%zu,%.6g", name, depths[d],
                        at->rate, at->failed, at->loss);
                printf("  never");
            } else {
                csv_row(&csv, "%s,%zu,%g,%.6g,%.6g,%.6g,0,%.6g", name, depths[d],
                        at->rate, at->steps, at->low, at->high, at->loss);
                printf(" %6.0f", at->steps);
            }
            progress_update(&progress, i * DEPTHS + d + 1, "%s, %zu layers", name,
                            depths[d]);
        }
        putchar('\n');
    }
    progress_end(&progress);
    csv_commit(&csv);
    claim_depths(table, settings->quick ? 1 : RUN_SEEDS);
    claim_skipinit(settings);
}

/* --- the demo's table --- */

enum { SHOWN = 4 };

typedef struct {
    float loss[SHOWN]; /* at the first step and at each third */
} Shown;

static size_t shown_step(size_t i, size_t steps) {
    return i ? i * steps / (SHOWN - 1) : 1;
}

static void watch_shown(Run *run, const Stack *s, size_t step, float loss) {
    (void)s;
    for (size_t i = 0; i < SHOWN; i++) {
        if (step == shown_step(i, run->steps)) ((Shown *)run->context)->loss[i] = loss;
    }
}

void show_training(const Settings *settings, size_t layers, size_t steps, double rate) {
    const size_t shown[] = {NONE, PLAIN, NORM_ONLY, POST, PRE, REZERO, FIXUP, ADMIN};
    printf("Training %zu layers with Adam at learning rate %g, on the same batches: "
           "the loss at step "
           "...\n\n%-10s %-30s",
           layers, rate, "", "");
    for (size_t i = 0; i < SHOWN; i++) printf(" %8zu", shown_step(i, steps));
    printf(" %8s\n", "mean");
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        const Scheme *s = &schemes[shown[k]];
        Shown w = {0};
        double mean = run_train(&(Run){.scheme = s,
                                       .depth = layers,
                                       .steps = steps,
                                       .rate = rate,
                                       .seed = settings->seed,
                                       .on_step = watch_shown,
                                       .context = &w});
        printf("%-10s %-30s", s->name, s->formula);
        for (size_t i = 0; i < SHOWN; i++) printf(" %8.3f", (double)w.loss[i]);
        printf(" %8.3f\n", mean);
    }
    printf("%-10s %75.3f\n\n", "guessing", teacher_guess_loss(WIDTH, CLASSES));
}
