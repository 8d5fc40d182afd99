/* How long a warm-up helps post-LN, and what it costs pre-LN. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/progress.h"

static const size_t lengths[] = {0, 5, 10, 20, 50, 100, 200, 400};
enum { LENGTHS = sizeof lengths / sizeof *lengths, SHORT = 3, LONG = 7, LINES = 3 };

/* A warm-up of T steps adds up to about T/2 steps at the full rate. The third line
 * trains pre-LN without warm-up on the last steps - T/2 batches only, so that it has
 * the same sum of rates and ends with the same batches. */
enum { WARMED_POST, WARMED_PRE, SHORTENED_PRE };
static const struct {
    const char *name;
    size_t run;
    bool shortened;
} lines[LINES] = {
    [WARMED_POST] = {"post-LN", POST_WARM, false},
    [WARMED_PRE] = {"pre-LN", PRE_WARM, false},
    [SHORTENED_PRE] = {"shortened", PRE, true},
};

static double final_loss(size_t line, size_t length, uint64_t seed) {
    StackTraining config =
        setup_training(&runs[lines[line].run], setup.depth, setup.rate, seed);
    config.warmup_steps = lines[line].shortened ? 0 : length;
    config.unused_batches = lines[line].shortened ? length / 2 : 0;
    config.steps -= config.unused_batches;
    return stack_train(&config, NULL, NULL);
}

/* The numbers of each line and length: the mean loss over the seeds, and the loss minus
 * that of the same seed without warm-up, its mean, its least and its most. */
typedef struct {
    double loss, minus, least, most;
} Cell;
typedef Cell Table[LINES][LENGTHS];

static void measure_lengths(Table table, const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "warmup-length",
                        "line,rate,warmup,seed,loss,minus_none");
    Progress progress = progress_begin("warmup-length", LINES * seeds * LENGTHS);
    size_t done = 0;
    for (size_t line = 0; line < LINES; line++) {
        for (size_t i = 0; i < LENGTHS; i++)
            table[line][i] = (Cell){.least = INFINITY, .most = -INFINITY};
        for (size_t k = 0; k < seeds; k++) {
            double none = 0;
            for (size_t i = 0; i < LENGTHS; i++) {
                double loss = final_loss(line, lengths[i], settings->seed + k);
                if (i == 0) none = loss;
                Cell *cell = &table[line][i];
                cell->loss += loss / (double)seeds;
                cell->minus += (loss - none) / (double)seeds;
                cell->least = smaller(cell->least, loss - none);
                cell->most = larger(cell->most, loss - none);
                csv_row(&csv, "%s,%g,%zu,%zu,%.4f,%.4f", lines[line].name, setup.rate,
                        lengths[i], k + 1, loss, loss - none);
                progress_update(&progress, ++done, "%s", lines[line].name);
            }
        }
    }
    progress_end(&progress);
    csv_commit(&csv);
}

static void print_lengths(Table table, size_t seeds) {
    printf("  %zu layers at %g, mean loss of %zu seeds by steps of warm-up\n  %-17s",
           setup.depth, setup.rate, seeds, "");
    for (size_t i = 0; i < LENGTHS; i++) printf(" %6zu", lengths[i]);
    putchar('\n');
    for (size_t line = 0; line < LINES; line++) {
        printf("  %-17s", lines[line].name);
        for (size_t i = 0; i < LENGTHS; i++) printf(" %6.3f", table[line][i].loss);
        putchar('\n');
    }
}

void experiment_warmup_length(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : MAX_SEEDS;
    Table table;
    measure_lengths(table, settings, seeds);
    print_lengths(table, seeds);
    const Cell *post = table[WARMED_POST], *pre = table[WARMED_PRE],
               *shortened = table[SHORTENED_PRE];
    claim(post[SHORT].most < -0.1,
          "post-LN: %zu steps of warm-up lower the loss by %.2f or more in each seed, "
          "above 0.1",
          lengths[SHORT], -post[SHORT].most);
    claim(pre[SHORT].minus < 0.02, "pre-LN: they cost %.3f on average, below 0.02",
          pre[SHORT].minus);
    claim(pre[LONG].least > 0,
          "pre-LN: %zu steps cost %.3f or more in each seed, above 0", lengths[LONG],
          pre[LONG].least);
    double share = shortened[LONG].minus / pre[LONG].minus;
    claim(share > 0.25 && share < 1,
          "pre-LN: %.2f of that is what %zu steps less cost, between 0.25 and 1", share,
          lengths[LONG] / 2);
}
