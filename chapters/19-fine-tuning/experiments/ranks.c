/* What is learned and what is forgotten: LoRA by its rank, each with its own best rate,
 * beside the training of all weights, and of all but the tables. */
#include <math.h>
#include <stdio.h>

#include "19-fine-tuning/experiments/experiments.h"
#include "19-fine-tuning/experiments/tuned_models.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { STEPS = 200, WAYS = 6, RATES = 4 };
#define ALL_RATES                                                                      \
    { 2.5e-4, 5e-4, 1e-3, 2e-3 }
#define LORA_RATES                                                                     \
    { 5e-3, 1e-2, 2e-2, 4e-2 }
static const struct {
    const char *name;
    size_t rank;
    double replay;
    bool tables_stay;
    double rates[RATES];
} ways[WAYS] = {
    {"all weights", 0, 0, false, ALL_RATES},
    {"all weights and replay", 0, 0.1, false, ALL_RATES},
    {"rank 1", 1, 0, false, LORA_RATES},
    {"rank 4", 4, 0, false, LORA_RATES},
    {"rank 16", 16, 0, false, LORA_RATES},
    {"all but the tables", 0, 0, true, {1e-3, 2e-3, 4e-3, 8e-3}},
};
enum { ALL_WEIGHTS, WITH_REPLAY, RANK_1, RANK_4, RANK_16, NO_TABLES };

static Tuned runs[WAYS][RATES][TUNED_SEEDS];

/* What a story of each language costs, over the seeds. */
typedef struct {
    double learned, forgotten;
} Means;

static Means means_of(const Tuned *of, size_t seeds) {
    Means m = {0};
    for (size_t k = 0; k < seeds; k++) {
        m.learned += of[k].score[NEW].above;
        m.forgotten += of[k].forgotten;
    }
    m.learned /= (double)seeds;
    m.forgotten /= (double)seeds;
    return m;
}

/* The rate with which the new language is learned best. */
static size_t best_rate(size_t way, size_t seeds) {
    size_t best = 0;
    for (size_t r = 1; r < RATES; r++) {
        if (means_of(runs[way][r], seeds).learned <
            means_of(runs[way][best], seeds).learned)
            best = r;
    }
    return best;
}

static void write_runs(const Settings *settings, size_t seeds) {
    Csv csv = csv_begin(settings->out, "ranks",
                        "way,place,rank,replay,rate,best,seed,trained,new,forgotten");
    printf("%-22s %7s %9s %16s %10s   (means)\n", "", "rate", "trained", "new above",
           "forgotten");
    for (size_t w = 0; w < WAYS; w++) {
        size_t best = best_rate(w, seeds);
        for (size_t r = 0; r < RATES; r++) {
            double rate = ways[w].rates[r];
            Means m = means_of(runs[w][r], seeds);
            for (size_t k = 0; k < seeds; k++) {
                const Tuned *t = &runs[w][r][k];
                csv_row(&csv, "%s,%zu,%zu,%g,%g,%d,%llu,%zu,%.6g,%.6g", ways[w].name, w,
                        ways[w].rank, ways[w].replay, rate, r == best,
                        (unsigned long long)settings->seed + k, t->trained,
                        t->score[NEW].above, t->forgotten);
            }
            printf("%-22s %7g %9zu %16.2f %10.2f%s\n", ways[w].name, rate,
                   runs[w][r][0].trained, m.learned, m.forgotten,
                   r == best ? "  best" : "");
        }
    }
    csv_commit(&csv);
}

/* In how many seeds the runs `a` have learned more than `b`, and forgotten less. */
static void compare(const Tuned *a, const Tuned *b, size_t seeds, size_t *learned_more,
                    size_t *forgot_less) {
    *learned_more = *forgot_less = 0;
    for (size_t k = 0; k < seeds; k++) {
        *learned_more += a[k].score[NEW].above < b[k].score[NEW].above;
        *forgot_less += a[k].forgotten < b[k].forgotten;
    }
}

static void claim_runs(size_t seeds) {
    const Tuned *all = runs[ALL_WEIGHTS][best_rate(ALL_WEIGHTS, seeds)],
                *slow = runs[ALL_WEIGHTS][0],
                *replay = runs[WITH_REPLAY][best_rate(WITH_REPLAY, seeds)];
    for (size_t w = RANK_1; w <= RANK_16; w++) {
        const Tuned *lora = runs[w][best_rate(w, seeds)];
        size_t more, less;
        compare(lora, all, seeds, &more, &less);
        claim(more == 0 && less == seeds,
              "%s learns less than all weights in %zu of %zu seeds and forgets less in "
              "%zu",
              ways[w].name, seeds - more, seeds, less);
        compare(slow, lora, seeds, &more, &less);
        claim(more == seeds && less == seeds,
              "all weights at their lowest rate learn more than %s in %zu of %zu seeds "
              "and forget less in %zu",
              ways[w].name, more, seeds, less);
        compare(replay, lora, seeds, &more, &less);
        claim(more == seeds && less == seeds,
              "with replay they learn more than %s in %zu of %zu seeds and forget less "
              "in %zu",
              ways[w].name, more, seeds, less);
    }
    Means rest = means_of(runs[NO_TABLES][1], seeds),
          lora = means_of(runs[RANK_16][best_rate(RANK_16, seeds)], seeds);
    double learned = fabs(rest.learned - lora.learned),
           forgotten = fabs(rest.forgotten - lora.forgotten);
    claim(learned < 1 && forgotten < 1,
          "all but the tables, at %g, come within %.2f and %.2f nats of rank 16 (below "
          "1)",
          ways[NO_TABLES].rates[1], learned, forgotten);
}

void experiment_ranks(const Settings *settings) {
    size_t seeds = tuned_seeds(settings->quick);
    const Base *bases = bases_create(settings->seed, settings->quick);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < WAYS * RATES * seeds; run++) {
        size_t w = run / seeds / RATES, r = run / seeds % RATES, k = run % seeds;
        TuningSettings s = {.steps = tuned_steps(STEPS, settings->quick),
                            .replay = ways[w].replay,
                            .rank = ways[w].rank,
                            .rate = ways[w].rates[r]};
        runs[w][r][k] = base_tune(&bases[k], &s, ways[w].tables_stay);
    }
    write_runs(settings, seeds);
    claim_runs(seeds);
}
