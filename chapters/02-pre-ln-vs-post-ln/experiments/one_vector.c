/* Why post-LN without warm-up fails at the rate of the demo: the first step of Adam, by
 * activation; four changes of that run, one of which keeps the branches from adding one
 * vector for all inputs; other widths and depths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "02-pre-ln-vs-post-ln/experiments/activation.h"
#include "02-pre-ln-vs-post-ln/experiments/exit_norm.h"
#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/first_step.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"
#include "base/memory.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { SEEDS = 5, LOOK = 10, LAST_LOOK = 100 };

/* What is changed of the failing run. */
typedef struct {
    const char *name;
    size_t run; /* POST or PRE */
    Activation activation;
    bool exit_norm, no_biases;
    double rate_factor;
} Change;

enum { NOTHING, EXIT_NORM, HALF_RATE, NO_BIASES, NO_MEAN, PRE_RELU, USE_TANH };
static const Change changes[] = {
    [NOTHING] = {"nothing", POST, RELU, false, false, 1},
    [EXIT_NORM] = {"exit-norm", POST, RELU, true, false, 1},
    [HALF_RATE] = {"half-rate", POST, RELU, false, false, 0.5},
    [NO_BIASES] = {"no-biases", POST, RELU, false, true, 1},
    [NO_MEAN] = {"ReLU-mean", POST, RELU_MINUS_MEAN, false, false, 1},
    [PRE_RELU] = {"pre-LN", PRE, RELU, false, false, 1},
    [USE_TANH] = {"tanh", POST, TANH, false, false, 1},
};
enum { SHOWN = USE_TANH }; /* in the first table */

/* One training run, and what is seen of it. */
typedef struct {
    const Change *change;
    ActivatedMlp *mlps;     /* [depth] */
    NormedSublayer *normed; /* [depth] */
    Csv *steps;             /* the spread at each step; NULL: nowhere */
    size_t seed;
    double spread, divided; /* at step LOOK */
    double loss;            /* at the end */
} Watch;

static void make_change(void *context, Params *params, Stack *s) {
    Watch *w = context;
    set_activation(w->mlps, s, w->change->activation);
    if (w->change->exit_norm) add_exit_norms(w->normed, params, s);
    for (size_t l = 0; w->change->no_biases && l < s->config.depth; l++)
        s->mlps[l].up.bias = s->mlps[l].down.bias = NULL;
}

static void look(void *context, const Stack *s, size_t step, float loss) {
    Watch *w = context;
    (void)loss;
    if (w->steps && step <= LAST_LOOK)
        csv_row(w->steps, "%s,%zu,%zu,%.4g", w->change->name, w->seed, step,
                output_spread(s));
    if (step != LOOK) return;
    w->spread = output_spread(s);
    w->divided = norms_divide(s);
}

typedef struct {
    size_t width, depth;
    double rate;
} Size;

static Watch train(const Change *change, Size size, size_t seed, uint64_t first_seed,
                   Csv *steps) {
    Watch w = {.change = change, .steps = steps, .seed = seed};
    w.mlps = checked_alloc(size.depth, sizeof *w.mlps);
    w.normed = checked_alloc(size.depth, sizeof *w.normed);
    StackTraining config =
        setup_training(&runs[change->run], size.depth, size.rate * change->rate_factor,
                       first_seed + seed - 1);
    config.stack.d_model = size.width;
    config.stack.d_hidden = 2 * size.width;
    config.prepare = make_change;
    w.loss = stack_train(&config, look, &w);
    free(w.mlps);
    free(w.normed);
    return w;
}

/* A row of a table over the seeds: geometric means of what is seen at step LOOK, the
 * mean loss, and how far they reach. */
typedef struct {
    double spread, divided, loss;
    double least_spread, most_spread, lowest, highest;
} Row;

/* A line a run, and a line a row. */
typedef struct {
    Csv seeds, means;
} Tables;

static Row measure_row(Tables *tables, const Change *change, Size size,
                       const Settings *settings, Csv *steps) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    double spread[SEEDS], divided[SEEDS];
    Row row = {.lowest = INFINITY, .least_spread = INFINITY};
    for (size_t k = 0; k < seeds; k++) {
        Watch w = train(change, size, k + 1, settings->seed, steps);
        spread[k] = w.spread;
        divided[k] = w.divided;
        row.loss += w.loss / (double)seeds;
        row.lowest = smaller(row.lowest, w.loss);
        row.highest = larger(row.highest, w.loss);
        row.least_spread = smaller(row.least_spread, w.spread);
        row.most_spread = larger(row.most_spread, w.spread);
        csv_row(&tables->seeds, "%s,%zu,%zu,%g,%zu,%.4g,%.4g,%.4f", change->name,
                size.width, size.depth, size.rate * change->rate_factor, k + 1,
                w.spread, w.divided, w.loss);
    }
    row.spread = geometric_mean(spread, seeds);
    row.divided = geometric_mean(divided, seeds);
    csv_row(&tables->means, "%s,%zu,%zu,%g,%.4g,%.4g,%.4f", change->name, size.width,
            size.depth, size.rate * change->rate_factor, row.spread, row.divided,
            row.loss);
    return row;
}

/* --- the four changes --- */

static void claim_changes(const Row of[SHOWN], double guess) {
    for (size_t i = 0; i < SHOWN; i++) {
        const Row *row = &of[i];
        if (i == NOTHING || i == NO_BIASES)
            claim(row->loss > guess - 0.1,
                  "%s: the mean loss %.3f is within 0.1 of guessing", changes[i].name,
                  row->loss);
        else
            claim(row->highest < guess - 0.4,
                  "%s: every seed ends at %.3f or lower, 0.4 or more below guessing",
                  changes[i].name, row->highest);
        if (i == NO_MEAN)
            claim(row->least_spread > 0.1, "%s: spread %.2g or more, above 0.1",
                  changes[i].name, row->least_spread);
        else
            claim(row->most_spread < 0.1, "%s: spread %.2g or less, below 0.1",
                  changes[i].name, row->most_spread);
    }
}

static void compare_changes(Tables *tables, const Settings *settings) {
    Csv steps = csv_begin(settings->out, "one-vector-steps", "change,seed,step,spread");
    Size given = {setup.width, setup.depth, setup.rate};
    Row of[SHOWN];
    printf("\n  %-20s %8s %10s  %6s\n  %-20s %8s %10s  %6s\n", "", "spread",
           "divided by", "", "changed", "at 10", "at 10", "loss");
    for (size_t i = 0; i < SHOWN; i++) {
        bool drawn = i == NOTHING || i == NO_MEAN;
        of[i] =
            measure_row(tables, &changes[i], given, settings, drawn ? &steps : NULL);
        printf("  %-20s %8.1g", changes[i].name, of[i].spread);
        printf(" %10.0f  %6.3f\n", of[i].divided, of[i].loss);
    }
    csv_commit(&steps);
    if (setup_as_given()) claim_changes(of, teacher_guess_loss(setup.width, CLASSES));
}

/* --- other sizes --- */

static const Size sizes[] = {
    {16, 6, 0.016}, {64, 6, 0.008}, {32, 12, 0.004}, {32, 12, 0.016}};
enum { SIZES = sizeof sizes / sizeof *sizes, LIMIT = 3 };

static void compare_sizes(Tables *tables, const Settings *settings) {
    static const size_t compared[] = {NOTHING, NO_MEAN, USE_TANH};
    enum { COMPARED = sizeof compared / sizeof *compared, LAST = COMPARED - 1 };
    printf("\n  %29s  %20s  %20s\n  width layers   rate  guessing", "", "spread at 10",
           "loss");
    for (size_t i = 0; i < 2; i++) printf("    ReLU   -mean   tanh");
    putchar('\n');
    for (size_t i = 0; i < SIZES; i++) {
        Row of[COMPARED];
        double guess = teacher_guess_loss(sizes[i].width, CLASSES);
        printf("  %5zu %6zu  %5g  %8.3f", sizes[i].width, sizes[i].depth, sizes[i].rate,
               guess);
        for (size_t c = 0; c < COMPARED; c++)
            of[c] =
                measure_row(tables, &changes[compared[c]], sizes[i], settings, NULL);
        for (size_t c = 0; c < COMPARED; c++) printf(" %7.1g", of[c].spread);
        for (size_t c = 0; c < COMPARED; c++) printf(" %7.3f", of[c].loss);
        putchar('\n');
        claim(of[0].most_spread < 0.2 && of[LAST].least_spread > 0.5,
              "the spread is at most %.2g with ReLU, below 0.2, and at least %.2g with "
              "tanh, above 0.5",
              of[0].most_spread, of[LAST].least_spread);
        if (i == LIMIT)
            claim(of[1].loss > guess - 0.1 && of[LAST].loss > guess - 0.1,
                  "the three end within 0.1 of guessing");
    }
}

/* --- one step --- */

typedef struct {
    Activation activation;
    ActivatedMlp *mlps; /* [depth] */
    BeforeStep before;
    FirstStep first;
} StepWatch;

static void prepare_step(void *context, Params *params, Stack *s) {
    StepWatch *w = context;
    (void)params;
    set_activation(w->mlps, s, w->activation);
}

static void look_at_step(void *context, const Stack *s, size_t step, float loss) {
    StepWatch *w = context;
    (void)loss;
    if (step == 1) {
        w->before = before_step(s, w->mlps);
        return;
    }
    w->first = first_step(s, &w->before);
    before_step_free(&w->before, s->config.depth);
}

static FirstStep measure_step(Activation activation, uint64_t seed) {
    StepWatch w = {.activation = activation};
    w.mlps = checked_alloc(setup.depth, sizeof *w.mlps);
    StackTraining config = setup_training(&runs[POST], setup.depth, setup.rate, seed);
    config.steps = 2;
    config.prepare = prepare_step;
    stack_train(&config, look_at_step, &w);
    free(w.mlps);
    return w.first;
}

static void compare_steps(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    Csv csv = csv_begin(settings->out, "one-vector-first",
                        "activation,seed,cosine,same_way,common,size");
    printf("  after one step       cosine  same way  common  change / branch\n");
    for (size_t a = 0; a < ACTIVATIONS; a++) {
        FirstStep mean = {0};
        double lowest = 1, highest = 0;
        for (size_t k = 0; k < seeds; k++) {
            FirstStep step = measure_step((Activation)a, settings->seed + k);
            csv_row(&csv, "%s,%zu,%.4f,%.4f,%.4f,%.4f", activation_name((Activation)a),
                    k + 1, step.cosine, step.same_way, step.common, step.size);
            mean.cosine += step.cosine / (double)seeds;
            mean.same_way += step.same_way / (double)seeds;
            mean.common += step.common / (double)seeds;
            mean.size += step.size / (double)seeds;
            lowest = smaller(lowest, step.common);
            highest = larger(highest, step.common);
        }
        printf("  %-20s %6.2f %9.2f %7.2f %16.2f\n", activation_name((Activation)a),
               mean.cosine, mean.same_way, mean.common, mean.size);
        if (!setup_as_given()) continue;
        if (a == RELU)
            claim(lowest > 0.8, "the common share is %.2f or more, above 0.8", lowest);
        else
            claim(highest < 0.2, "it is %.2f or less, below 0.2", highest);
    }
    csv_commit(&csv);
}

void experiment_one_vector(const Settings *settings) {
    compare_steps(settings);
    Tables tables = {csv_begin(settings->out, "one-vector",
                               "change,width,depth,rate,seed,spread,divided,loss"),
                     csv_begin(settings->out, "one-vector-means",
                               "change,width,depth,rate,spread,divided,loss")};
    compare_changes(&tables, settings);
    compare_sizes(&tables, settings);
    csv_commit(&tables.seeds);
    csv_commit(&tables.means);
}
