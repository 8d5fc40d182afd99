/* How large the branches are beside the stream during training, by how much the norms
 * of post-LN divide, whether the last branch's output depends on the input, and if
 * post-LN learns when a norm at the exit of each branch keeps it as large as the
 * stream. */
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

/* Steps; the last look is at the last one. */
enum { FIRST_LOOKS = 3, LOOKS, SEEDS = 5, TENTH = 2, LAST = 3 };
static const size_t first_looks[FIRST_LOOKS] = {1, 4, 10};

static size_t step_of(size_t look) {
    return look < FIRST_LOOKS ? first_looks[look] : setup.steps;
}

static const struct {
    const char *name;
    size_t run;
    bool exit_norm;
} shown[] = {{"post-LN", POST, false},
             {"post-LN + warm-up", POST_WARM, false},
             {"post-LN + exit norm", POST, true},
             {"pre-LN", PRE, false}};
enum { ROWS = sizeof shown / sizeof *shown, PLAIN = 0, EXIT_NORM = 2 };

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
        if (step != step_of(i)) continue;
        w->size[i] = branch_size(s);
        w->spread[i] = output_spread(s);
    }
}

/* The printed numbers of a row; geometric means over the seeds, but for the loss. */
typedef struct {
    double ratio[LOOKS], divided[LOOKS], spread[LOOKS], branch[LOOKS];
    double loss, highest_loss;
} Row;

static Row measure_row(Csv *csv, size_t row, const Settings *settings, size_t seeds) {
    double ratio[LOOKS][SEEDS], divided[LOOKS][SEEDS], spread[LOOKS][SEEDS],
        branch[LOOKS][SEEDS];
    Row result = {0};
    for (size_t k = 0; k < seeds; k++) {
        Watch w = {0};
        if (shown[row].exit_norm)
            w.normed = checked_alloc(setup.depth, sizeof *w.normed);
        StackTraining config = setup_training(&runs[shown[row].run], setup.depth,
                                              setup.rate, settings->seed + k);
        config.prepare = prepare;
        double loss = stack_train(&config, look, &w);
        for (size_t i = 0; i < LOOKS; i++) {
            ratio[i][k] = w.size[i].ratio;
            divided[i][k] = w.size[i].divided;
            spread[i][k] = w.spread[i];
            branch[i][k] = w.size[i].last_spread;
            csv_row(csv, "%s,%zu,%zu,%.4g,%.4g,%.4g,%.4g,%.4f", shown[row].name, k + 1,
                    step_of(i), ratio[i][k], divided[i][k], spread[i][k], branch[i][k],
                    loss);
        }
        result.loss += loss / (double)seeds;
        result.highest_loss = larger(result.highest_loss, loss);
        free(w.normed);
    }
    for (size_t i = 0; i < LOOKS; i++) {
        result.ratio[i] = geometric_mean(ratio[i], seeds);
        result.divided[i] = geometric_mean(divided[i], seeds);
        result.spread[i] = geometric_mean(spread[i], seeds);
        result.branch[i] = geometric_mean(branch[i], seeds);
    }
    return result;
}

static void print_sizes(const Row of[ROWS]) {
    printf("\n  %-20s %19s  %29s\n  %-20s", "", "|F|/|x| at step",
           "divided by, at step", "");
    for (size_t i = 0; i < LOOKS; i++) printf(" %4zu", step_of(i));
    putchar(' ');
    for (size_t i = 0; i < LOOKS; i++) printf(" %*zu", i == LAST ? 10 : 5, step_of(i));
    putchar('\n');
    for (size_t r = 0; r < ROWS; r++) {
        printf("  %-20s", shown[r].name);
        for (size_t i = 0; i < LOOKS; i++) printf(" %4.1f", of[r].ratio[i]);
        putchar(' ');
        for (size_t i = 0; i < LOOKS; i++)
            printf(" %*.0f", i == LAST ? 10 : 5, of[r].divided[i]);
        putchar('\n');
    }
}

static void print_spreads(const Row of[ROWS]) {
    printf("\n  %-20s %18s  %18s\n  %-20s %9zu %8zu  %9zu %8zu  %6s\n", "",
           "spread: of outputs", "of the last branch", "", step_of(TENTH),
           step_of(LAST), step_of(TENTH), step_of(LAST), "loss");
    for (size_t r = 0; r < ROWS; r++) {
        printf("  %-20s %9.1g %8.1g  %9.1g %8.1g  %6.3f\n", shown[r].name,
               of[r].spread[TENTH], of[r].spread[LAST], of[r].branch[TENTH],
               of[r].branch[LAST], of[r].loss);
    }
}

void experiment_branch_size(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    Row of[ROWS];
    Csv csv = csv_begin(settings->out, "branch-size",
                        "run,seed,step,ratio,divided,spread,branch_spread,loss");
    printf("  geometric means over %zu seeds, but for the loss\n", seeds);
    for (size_t i = 0; i < ROWS; i++) of[i] = measure_row(&csv, i, settings, seeds);
    csv_commit(&csv);
    print_sizes(of);
    print_spreads(of);
    if (!setup_as_given()) return;
    const Row *plain = &of[PLAIN], *normed = &of[EXIT_NORM];
    claim(
        plain->ratio[TENTH] > 2 && normed->ratio[TENTH] < 1.2,
        "at step 10 a branch of post-LN is %.1f times the stream, above 2; with a norm "
        "at its exit %.2f times, below 1.2",
        plain->ratio[TENTH], normed->ratio[TENTH]);
    claim(normed->highest_loss < 1,
          "post-LN with a norm at the exit ends at %.3f or below in each seed, below 1",
          normed->highest_loss);
}
