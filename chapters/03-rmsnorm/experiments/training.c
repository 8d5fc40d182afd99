/* Networks that differ in their norm alone, several seeds: does leaving out the mean
 * cost anything? Every run is a thread's own; results are looked at when all are there,
 * in the order of the list. */
#include <math.h>
#include <stdio.h>

#include "03-rmsnorm/experiments/experiments.h"
#include "03-rmsnorm/norm_training.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { STEPS = 300, QUICK_STEPS = 100, SEEDS = 12, QUICK_SEEDS = 2 };

/* "blind": the teacher does not look at the mean of an input. */
typedef struct {
    const char *name;
    NormChoice choice;
    bool blind;
} Candidate;

static const Candidate candidates[] = {
    {"none", {NORM_NONE, 0}, false},        {"layer", {NORM_LAYER, 0}, false},
    {"rms", {NORM_RMS, 0}, false},          {"prms", {NORM_RMS, 32}, false},
    {"prms", {NORM_RMS, 16}, false},        {"prms", {NORM_RMS, 8}, false},
    {"prms", {NORM_RMS, 4}, false},         {"prms", {NORM_RMS, 3}, false},
    {"prms", {NORM_RMS, 2}, false},         {"prms", {NORM_RMS, 1}, false},
    {"layer-blind", {NORM_LAYER, 0}, true}, {"rms-blind", {NORM_RMS, 0}, true},
};
enum {
    NONE,
    LAYER,
    RMS,
    PAPERS_PART = 6,
    THREE_ELEMENTS,
    TWO_ELEMENTS,
    ONE_ELEMENT,
    BLIND_LAYER,
    BLIND_RMS,
    CANDIDATES
};

/* The elements that a candidate measures, of the TRAINING_WIDTH there are. */
static size_t measured(const Candidate *c) {
    if (c->choice.kind == NORM_NONE) return 0;
    return c->choice.part ? c->choice.part : TRAINING_WIDTH;
}

/* results[c][s] is candidate c with seed number s. */
static void train_all(NormTrainingResult results[CANDIDATES][SEEDS], size_t seeds,
                      size_t steps, uint64_t first_seed) {
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < CANDIDATES * seeds; run++) {
        const Candidate *c = &candidates[run / seeds];
        NormTraining config = {.norm = c->choice,
                               .blind = c->blind,
                               .steps = steps,
                               .seed = first_seed + run % seeds};
        results[run / seeds][run % seeds] = norm_train(&config);
    }
}

/* The summary of a candidate over its seeds. */
typedef struct {
    Moments loss, difference; /* difference: from LayerNorm's loss with the same seed
                                 and teacher */
} Summary;

static Summary summarize(Csv *csv, const Settings *settings,
                         NormTrainingResult results[CANDIDATES][SEEDS], size_t c,
                         size_t seeds) {
    double losses[SEEDS], differences[SEEDS];
    size_t reference = candidates[c].blind ? BLIND_LAYER : LAYER;
    for (size_t s = 0; s < seeds; s++) {
        losses[s] = results[c][s].loss;
        differences[s] = losses[s] - results[reference][s].loss;
        size_t part = measured(&candidates[c]);
        csv_row(csv, "%s,%zu,%.6g,%zu,%.6g,%.6g,%.4g,%.4g", candidates[c].name, part,
                100.0 * (double)part / TRAINING_WIDTH, (size_t)settings->seed + s,
                losses[s], differences[s], results[c][s].first_mean,
                results[c][s].last_mean);
    }
    return (Summary){moments_of(losses, seeds), moments_of(differences, seeds)};
}

/* The largest mean / deviation that a seed's rows had before and after training with
 * RMSNorm. */
static double largest_ratio(NormTrainingResult results[SEEDS], size_t seeds) {
    double largest = 0;
    for (size_t s = 0; s < seeds; s++) {
        largest = larger(largest, larger(results[s].first_mean, results[s].last_mean));
    }
    return largest;
}

static void claim_quality(const Summary *summary, double ratio, size_t seeds) {
    double spread = summary[LAYER].loss.deviation, rms = summary[RMS].difference.mean;
    double error = summary[RMS].difference.deviation / sqrt((double)seeds);
    double blind = summary[BLIND_RMS].difference.mean;
    double blind_error = summary[BLIND_RMS].difference.deviation / sqrt((double)seeds);
    claim(fabs(rms) < 2 * spread,
          "RMSNorm ends %+.4f from LayerNorm, less than two standard deviations over "
          "seeds, %.4f",
          rms, spread);
    claim(fabs(summary[PAPERS_PART].difference.mean) < 2 * spread,
          "so does pRMSNorm that measures 4 elements of 64, the paper's 6.25 %%: %+.4f",
          summary[PAPERS_PART].difference.mean);
    claim(summary[NONE].difference.mean > 3 * spread,
          "the task can tell: without a norm the loss is %.4f higher, more than three "
          "deviations",
          summary[NONE].difference.mean);
    claim(fabs(summary[THREE_ELEMENTS].difference.mean) < 2 * spread &&
              summary[TWO_ELEMENTS].difference.mean > 2 * spread,
          "three elements are as good (%+.4f), two are not (%+.4f)",
          summary[THREE_ELEMENTS].difference.mean,
          summary[TWO_ELEMENTS].difference.mean);
    claim(summary[ONE_ELEMENT].difference.mean > 5 * spread,
          "and one element is too few: %.4f higher, more than five",
          summary[ONE_ELEMENT].difference.mean);
    claim(rms < -2 * error,
          "by pairs RMSNorm is better, by %.1f standard errors, more than 2",
          -rms / error);
    claim(fabs(blind) < 3 * blind_error,
          "but not where the classes do not depend on the mean: %+.4f, %.1f standard "
          "errors, less than 3",
          blind, fabs(blind) / blind_error);
    claim(ratio < 0.5,
          "the rows that reach RMSNorm have a mean of %.2f deviations at most, less "
          "than 0.5",
          ratio);
}

void experiment_training(const Settings *settings) {
    static NormTrainingResult results[CANDIDATES][SEEDS];
    size_t seeds = settings->quick ? QUICK_SEEDS : SEEDS,
           steps = settings->quick ? QUICK_STEPS : STEPS;
    Summary summary[CANDIDATES];
    train_all(results, seeds, steps, settings->seed);
    Csv csv =
        csv_begin(settings->out, "part",
                  "norm,part,percent,seed,loss,minus_layer,first_ratio,last_ratio");
    printf("%zu steps, %zu seeds; the loss on new samples, mean and standard deviation "
           "over the seeds:\n\n"
           "norm        measured          loss        minus LayerNorm's\n",
           steps, seeds);
    for (size_t c = 0; c < CANDIDATES; c++) {
        Summary *s = &summary[c];
        *s = summarize(&csv, settings, results, c, seeds);
        printf("%-11s %3zu of %d  %.4f +- %.4f  %+.4f +- %.4f\n", candidates[c].name,
               measured(&candidates[c]), TRAINING_WIDTH, s->loss.mean,
               s->loss.deviation, s->difference.mean, s->difference.deviation);
    }
    csv_commit(&csv);
    putchar('\n');
    claim_quality(summary, largest_ratio(results[RMS], seeds), seeds);
}
