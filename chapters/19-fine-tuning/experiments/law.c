/* What remembering costs: the old language by the share of its stories in each
 * batch. */
#include <math.h>
#include <stdio.h>

#include "19-fine-tuning/experiments/experiments.h"
#include "19-fine-tuning/experiments/tuned_models.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { STEPS = 200, SHARES = 4, NEVER = SHARES - 1 };
static const double shares[SHARES] = {0.5, 0.1, 0.01, 0};

/* What parts of an old story cost more than before the tuning. */
typedef struct {
    double part[STORY_PARTS], all, learned;
} Cost;

static Cost cost_of(const Base *base, const Tuned *tuned) {
    Cost c = {.all = tuned->forgotten, .learned = tuned->score[NEW].above};
    for (size_t p = 0; p < STORY_PARTS; p++)
        c.part[p] = tuned->score[OLD].part[p] - base->before[OLD].part[p];
    return c;
}

static void write_costs(Cost costs[SHARES][TUNED_SEEDS], const Settings *settings,
                        size_t seeds) {
    Csv csv =
        csv_begin(settings->out, "law", "replay,seed,price,first,names,rest,all,new");
    printf(
        "nats that an old story costs more than before:\n%8s %5s %8s %11s %12s %8s\n",
        "replay", "seed", "ln 1/rho", "first name", "other names", "rest");
    for (size_t i = 0; i < SHARES; i++) {
        for (size_t k = 0; k < seeds; k++) {
            const Cost *c = &costs[i][k];
            double price = i == NEVER ? NAN : -log(shares[i]);
            csv_row(&csv, "%g,%llu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", shares[i],
                    (unsigned long long)settings->seed + k, price, c->part[FIRST_NAME],
                    c->part[OTHER_NAMES], c->part[NO_NAME], c->all, c->learned);
            printf("%8g %5zu %8.2f %11.2f %12.2f %8.2f\n", shares[i], k + 1, price,
                   c->part[FIRST_NAME], c->part[OTHER_NAMES], c->part[NO_NAME]);
        }
    }
    csv_commit(&csv);
}

/* The largest distance of the first name's cost from the law, over the seeds. */
static double worst_of(Cost costs[TUNED_SEEDS], double share, size_t seeds) {
    double worst = 0;
    for (size_t k = 0; k < seeds; k++)
        worst = larger(worst, fabs(costs[k].part[FIRST_NAME] + log(share)));
    return worst;
}

static void claim_costs(Cost costs[SHARES][TUNED_SEEDS], size_t seeds) {
    double half = worst_of(costs[0], shares[0], seeds),
           tenth = worst_of(costs[1], shares[1], seeds), rest = -INFINITY,
           names = INFINITY;
    for (size_t k = 0; k < seeds; k++) {
        const Cost *never = &costs[NEVER][k];
        for (size_t i = 0; i < SHARES; i++)
            rest = larger(rest, costs[i][k].part[NO_NAME]);
        names = smaller(names, (never->all - never->part[NO_NAME]) / never->all);
    }
    claim(half < 0.25, "replay 0.5: the first name costs ln 2 to within %.3f nats",
          half);
    claim(tenth < 0.5, "replay 0.1: the first name costs ln 10 to within %.2f nats",
          tenth);
    claim(names > 0.8,
          "without replay, names are at least %.0f %% of what is forgotten",
          100 * names);
    claim(rest < 5, "what is no name costs at most %.2f nats a story more", rest);
}

void experiment_law(const Settings *settings) {
    static Cost costs[SHARES][TUNED_SEEDS];
    size_t seeds = tuned_seeds(settings->quick);
    const Base *bases = bases_create(settings->seed, settings->quick);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < SHARES * seeds; run++) {
        size_t i = run / seeds, k = run % seeds;
        TuningSettings s = {.steps = tuned_steps(STEPS, settings->quick),
                            .replay = shares[i]};
        Tuned tuned = base_tune(&bases[k], &s, false);
        costs[i][k] = cost_of(&bases[k], &tuned);
    }
    write_costs(costs, settings, seeds);
    claim_costs(costs, seeds);
}
