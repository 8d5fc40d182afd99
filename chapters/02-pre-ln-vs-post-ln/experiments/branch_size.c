/* How large the branches are beside the stream in the first steps of training, what the
 * norms of post-LN divide by, and whether post-LN learns if a norm at the exit of each
 * branch keeps it as large as the stream. */
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

static const size_t looks[] = {1, 4, 10, 20};
enum { LOOKS = sizeof looks / sizeof *looks, SEEDS = 5, SPREAD_LOOK = 2 };

static const struct {
    const char *name;
    size_t run;
    bool exit_norm;
} rows[] = {{"post-LN", POST, false},
            {"post-LN + warm-up", POST_WARM, false},
            {"post-LN + exit norm", POST, true},
            {"pre-LN", PRE, false}};
enum { ROWS = sizeof rows / sizeof *rows, PLAIN = 0, EXIT_NORM = 2 };

/* One training run. */
typedef struct {
    NormedSublayer *normed; /* [depth], or NULL */
    BranchSize size[LOOKS];
    double spread[LOOKS];
} Watch;

static void prepare(void *context, Params *params, Stack *s) {
    Watch *w = context;
    if (w->normed) add_exit_norms(w->normed, params, s);
}

static void look(void *context, const Stack *s, size_t step, float loss) {
    Watch *w = context;
    (void)loss;
    for (size_t i = 0; i < LOOKS; i++) {
        if (step != looks[i]) continue;
        w->size[i] = branch_size(s);
        w->spread[i] = output_spread(s);
    }
}

/* What is printed of a row; geometric means over the seeds, but for the loss. */
typedef struct {
    double ratio[LOOKS], divided[LOOKS], spread, loss, highest_loss;
} Row;

static Row measure_row(Csv *csv, size_t row, const Settings *settings, size_t seeds) {
    double ratio[LOOKS][SEEDS], divided[LOOKS][SEEDS], spread[SEEDS];
    Row result = {0};
    for (size_t k = 0; k < seeds; k++) {
        Watch w = {0};
        if (rows[row].exit_norm)
            w.normed = checked_alloc(setup.depth, sizeof *w.normed);
        TrialConfig config = setup_trial(&runs[rows[row].run], setup.depth, setup.rate,
                                         settings->seed + k);
        config.prepare = prepare;
        double loss = trial_run(&config, look, &w);
        for (size_t i = 0; i < LOOKS; i++) {
            ratio[i][k] = w.size[i].ratio;
            divided[i][k] = w.size[i].divided;
            csv_row(csv, "%s,%zu,%zu,%.4g,%.4g,%.4g,%.4f", rows[row].name, k + 1,
                    looks[i], ratio[i][k], divided[i][k], w.spread[i], loss);
        }
        spread[k] = w.spread[SPREAD_LOOK];
        result.loss += loss / (double)seeds;
        result.highest_loss = larger(result.highest_loss, loss);
        free(w.normed);
    }
    for (size_t i = 0; i < LOOKS; i++) {
        result.ratio[i] = geometric_mean(ratio[i], seeds);
        result.divided[i] = geometric_mean(divided[i], seeds);
    }
    result.spread = geometric_mean(spread, seeds);
    return result;
}

static void print_header(size_t seeds) {
    printf("  geometric means over %zu seeds, but for the loss; spread at step %zu\n\n"
           "  %-20s %20s  %24s\n  %-20s",
           seeds, looks[SPREAD_LOOK], "", "|F|/|x| at step", "divided by, at step", "");
    for (size_t i = 0; i < LOOKS; i++) printf(" %4zu", looks[i]);
    putchar(' ');
    for (size_t i = 0; i < LOOKS; i++) printf(" %5zu", looks[i]);
    printf("  %7s  %5s\n", "spread", "loss");
}

static void print_row(const char *name, const Row *row) {
    printf("  %-20s", name);
    for (size_t i = 0; i < LOOKS; i++) printf(" %4.1f", row->ratio[i]);
    putchar(' ');
    for (size_t i = 0; i < LOOKS; i++) printf(" %5.0f", row->divided[i]);
    printf("  %7.1g  %5.3f\n", row->spread, row->loss);
}

void experiment_branch_size(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    Row of[ROWS];
    Csv csv = csv_begin(settings->out, "02-branch-size",
                        "run,seed,step,ratio,divided,spread,loss");
    print_header(seeds);
    for (size_t i = 0; i < ROWS; i++) {
        of[i] = measure_row(&csv, i, settings, seeds);
        print_row(rows[i].name, &of[i]);
    }
    csv_commit(&csv);
    if (!setup_as_given()) return;
    const Row *plain = &of[PLAIN], *normed = &of[EXIT_NORM];
    claim(
        plain->ratio[SPREAD_LOOK] > 2 && normed->ratio[SPREAD_LOOK] < 1.2,
        "at step 10 a branch of post-LN is %.1f times the stream, above 2; with a norm "
        "at its exit %.2f times, below 1.2",
        plain->ratio[SPREAD_LOOK], normed->ratio[SPREAD_LOOK]);
    claim(normed->highest_loss < 1,
          "post-LN with a norm at the exit ends at %.3f or below in each seed, below 1",
          normed->highest_loss);
}
