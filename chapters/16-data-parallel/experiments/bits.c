/* How far the weights change with the number of ranks, when the order of the sum
 * follows that number, and when it does not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "16-data-parallel/experiments/experiments.h"
#include "16-data-parallel/experiments/trials.h"
#include "16-data-parallel/ring_all_reduce.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { STEPS = 200, POINTS = 9, SEEDS = 3 };
static const size_t points[POINTS] = {1, 2, 5, 10, 20, 50, 100, 150, 200};

static const struct {
    const char *name;
    AllReduce *reduce;
} ways[] = {
    {"tree", NULL}, {"MPI_Iallreduce", all_reduce_mpi}, {"ring", ring_all_reduce}};

/* |a - b| / |b| */
static double distance(const float *a, const float *b, size_t n) {
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        difference += pow((double)a[i] - (double)b[i], 2);
        size += pow((double)b[i], 2);
    }
    return sqrt(difference / size);
}

/* The leader's weights at each point; the others' are NULL. */
static size_t train(float *weights[POINTS], size_t n_ranks, uint64_t seed,
                    AllReduce *reduce, size_t steps) {
    const TrialSize size = {.n_layer = 2,
                            .width = 32,
                            .context = 32,
                            .batch = 1,
                            .accumulate = 8,
                            .steps = STEPS};
    Trial t;
    size_t n = 0;
    trial_begin(&t, n_ranks, &size, seed, reduce);
    for (size_t step = 1, k = 0; step <= steps; step++) {
        trial_step(&t);
        if (step != points[k]) continue;
        weights[k++] = t.ranks.rank == 0 ? trial_weights(&t, &n) : NULL;
    }
    trial_end(&t);
    return n;
}

static void all_reduce_tuned(const Ranks *ranks, float *x, size_t n, float *room) {
    (void)room;
    MPI_Allreduce(MPI_IN_PLACE, x, (int)n, MPI_FLOAT, MPI_SUM, ranks->comm);
}

enum { NUMBERS = 4096, SHORT = 16, LENGTH_RANKS = 3 };

static void reduce_in_messages(AllReduce *reduce, const Ranks *ranks, float *x,
                               size_t length) {
    float room[NUMBERS];
    for (size_t i = 0; i < NUMBERS; i += length) reduce(ranks, x + i, length, room);
}

/* How many of 4096 sums change when the numbers travel in messages of that length, and
 * not in short ones. */
static size_t changed_by_length(AllReduce *reduce, uint64_t seed, size_t length) {
    Ranks ranks = ranks_first(trial_ranks(), LENGTH_RANKS);
    size_t changed = 0;
    if (ranks.rank < LENGTH_RANKS) {
        Random random = random_stream(seed, ranks.rank);
        float x[NUMBERS], y[NUMBERS];
        random_fill_normal(&random, x, NUMBERS, 1);
        memcpy(y, x, sizeof y);
        reduce_in_messages(reduce, &ranks, x, SHORT);
        reduce_in_messages(reduce, &ranks, y, length);
        for (size_t i = 0; i < NUMBERS; i++) changed += x[i] != y[i];
    }
    ranks_free(&ranks);
    return changed;
}

static void lengths(const Settings *settings) {
    size_t worst = 0;
    printf("of %d sums at %d ranks, how many differ from those in messages of %d "
           "numbers\n",
           NUMBERS, LENGTH_RANKS, SHORT);
    for (size_t length = SHORT; length <= NUMBERS; length *= 16) {
        size_t tree = changed_by_length(all_reduce_owners, settings->seed, length);
        size_t mpi = changed_by_length(all_reduce_tuned, settings->seed, length);
        printf("messages of %4zu   tree %4zu   MPI_Allreduce %4zu\n", length, tree,
               mpi);
        worst = worst > tree ? worst : tree;
    }
    if (trial_ranks()->rank == 0) claim(worst == 0, "the tree: no sum changes");
}

void experiment_bits(const Settings *settings) {
    trial_expect_ranks("bits", 4);
    size_t steps = settings->quick ? 20 : STEPS,
           n_points = settings->quick ? 5 : POINTS;
    Csv csv = {0};
    bool is_root = trial_ranks()->rank == 0;
    if (is_root) csv = csv_begin(settings->out, "bits", "way,ranks,seed,step,distance");
    printf("distance of the weights from one rank's, after %zu steps, by seed\n",
           steps);
    double tree = 0, least = INFINITY;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        for (size_t ranks = 2; ranks <= 4; ranks *= 2) {
            printf("%-15s %zu ranks", ways[w].name, ranks);
            for (uint64_t seed = settings->seed; seed < settings->seed + SEEDS;
                 seed++) {
                float *one[POINTS] = {0}, *many[POINTS] = {0};
                size_t n = train(one, 1, seed, ways[w].reduce, steps);
                train(many, ranks, seed, ways[w].reduce, steps);
                double last = 0;
                for (size_t k = 0; is_root && k < n_points; k++) {
                    last = distance(many[k], one[k], n);
                    csv_row(&csv, "%s,%zu,%llu,%zu,%.6g", ways[w].name, ranks,
                            (unsigned long long)seed, points[k], last);
                    if (!ways[w].reduce) tree = larger(tree, last);
                }
                if (ways[w].reduce) least = smaller(least, last);
                for (size_t k = 0; k < POINTS; k++) {
                    free(one[k]);
                    free(many[k]);
                }
                printf("  %8.2g", last);
            }
            putchar('\n');
            fflush(stdout);
        }
    }
    if (is_root) csv_commit(&csv);
    lengths(settings);
    if (!is_root) return;
    claim(tree == 0,
          "the tree: the distance is %g at every step, with 2 ranks and with 4", tree);
    claim(
        least > 1e-6,
        "MPI_Iallreduce and ring: at least %.2g at the end of each run, more than 1e-6",
        least);
}
