/* A norm at the entrance of each branch (pre-LN), at its exit, and at both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "02-pre-ln-vs-post-ln/experiments/exit_norm.h"
#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"
#include "base/memory.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/progress.h"

static const double rates[] = {0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064};
enum { RATES = sizeof rates / sizeof *rates, SEEDS = 5, HIGH_RATE = 5 };

enum { ENTRANCE, EXIT, BOTH, ENDS };
static const char *const names[ENDS] = {"entrance", "exit", "both"};

/* One run: where its norms are, and its results. */
typedef struct {
    size_t end;
    NormedSublayer *sublayers; /* [depth] */
    double stream;             /* the largest mean square after training */
} EndRun;

/* Makes of a pre-LN stack one with norms at the run's ends. */
static void move_norms(void *context, Params *params, Stack *s) {
    const EndRun *run = context;
    if (run->end == ENTRANCE) return;
    add_exit_norms(run->sublayers, params, s);
    if (run->end != EXIT) return;
    for (size_t l = 0; l < s->config.depth; l++) s->residuals[l].norm = (Layer){0};
}

static void look(void *context, const Stack *s, size_t step, float loss) {
    EndRun *run = context;
    (void)loss;
    if (step == setup.steps) run->stream = largest_stream(s);
}

typedef struct {
    double loss, stream; /* means over the seeds */
} EndMean;

/* Seeds scatter more than the places of the norm differ, so each loss is compared with
 * pre-LN's of its own seed, entrance[seeds], which the runs of ENTRANCE fill in. */
static EndMean measure_end(Csv *csv, size_t end, double rate, uint64_t first_seed,
                           double *entrance, size_t seeds) {
    EndMean mean = {0};
    size_t depth = 2 * setup.depth;
    for (size_t k = 0; k < seeds; k++) {
        EndRun run = {.end = end};
        run.sublayers = checked_alloc(depth, sizeof *run.sublayers);
        StackTraining config = setup_training(&runs[PRE], depth, rate, first_seed + k);
        config.prepare = move_norms;
        double loss = stack_train(&config, look, &run);
        if (end == ENTRANCE) entrance[k] = loss;
        csv_row(csv, "%s,%g,%zu,%.4f,%.5g,%.4f", names[end], rate, k + 1, loss,
                run.stream, loss - entrance[k]);
        mean.loss += loss / (double)seeds;
        mean.stream += run.stream / (double)seeds;
        free(run.sublayers);
    }
    return mean;
}

static void print_ends(EndMean mean[ENDS][RATES], size_t stride) {
    printf("  loss, and the largest mean square of the stream, after %zu steps by "
           "learning rate\n  %-10s",
           setup.steps, "norm at");
    for (size_t r = 0; r < RATES; r += stride) printf(" %7g", rates[r]);
    putchar('\n');
    for (size_t end = 0; end < ENDS; end++) {
        printf("  %-10s", names[end]);
        for (size_t r = 0; r < RATES; r += stride) printf(" %7.3f", mean[end][r].loss);
        printf("\n  %-10s", "");
        for (size_t r = 0; r < RATES; r += stride)
            printf(" %7.0f", mean[end][r].stream);
        putchar('\n');
    }
}

static void claim_ends(EndMean mean[ENDS][RATES], size_t stride) {
    double least = INFINITY, lead = INFINITY, lag = -INFINITY;
    for (size_t r = 0; r < RATES; r += stride) {
        const EndMean *entrance = &mean[ENTRANCE][r], *both = &mean[BOTH][r];
        if (rates[r] >= 0.004) least = smaller(least, entrance->stream / both->stream);
        lead = smaller(lead, entrance->loss - mean[EXIT][r].loss);
        lag = larger(lag, fabs(both->loss - entrance->loss));
    }
    claim(least > 2,
          "from 0.004 on the stream is %.1f times as large with norms at the entrance "
          "alone as with both, or more, above 2",
          least);
    claim(lag < 0.05, "the losses of these two differ by %.3f at most, less than 0.05",
          lag);
    claim(lead > 0,
          "at the exit alone the loss is lower by %.3f or more at every rate, above 0",
          lead);
}

void experiment_both_ends(const Settings *settings) {
    size_t stride = settings->quick ? 3 : 1, seeds = settings->quick ? 1 : SEEDS;
    EndMean mean[ENDS][RATES] = {0};
    double entrance[RATES][SEEDS] = {0};
    Csv csv = csv_begin(settings->out, "both-ends",
                        "norm,rate,seed,loss,stream,minus_entrance");
    Progress progress = progress_begin("both-ends", ENDS * RATES);
    for (size_t end = 0; end < ENDS; end++) {
        for (size_t r = 0; r < RATES; r += stride) {
            mean[end][r] =
                measure_end(&csv, end, rates[r], settings->seed, entrance[r], seeds);
            progress_update(&progress, end * RATES + r + 1, "%s", names[end]);
        }
    }
    progress_end(&progress);
    csv_commit(&csv);
    print_ends(mean, stride);
    claim_ends(mean, stride);
}
