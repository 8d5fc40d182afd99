/* Perplexity and variety of texts by strategy, beside the corpus. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/experiments/text_measure.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { SEEDS = 3 };

typedef struct {
    const char *name;
    SamplingSettings sampling;
} Strategy;

static const Strategy strategies[] = {
    {"greedy", {.greedy = true, .temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 0.7", {.temperature = 0.7, .top_p = 1, .repetition_penalty = 1}},
    {"top-k 10", {.temperature = 1, .top_k = 10, .top_p = 1, .repetition_penalty = 1}},
    {"top-p 0.9", {.temperature = 1, .top_p = 0.9, .repetition_penalty = 1}},
    /* The two of Holtzman et al. */
    {"top-p 0.95", {.temperature = 1, .top_p = 0.95, .repetition_penalty = 1}},
    {"top-k 640",
     {.temperature = 1, .top_k = 640, .top_p = 1, .repetition_penalty = 1}},
    {"sampling", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 1.3", {.temperature = 1.3, .top_p = 1, .repetition_penalty = 1}},
    {"corpus", {0}},
    {"greedy with penalty",
     {.greedy = true, .temperature = 1, .top_p = 1, .repetition_penalty = 1.2}},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };
enum { GREEDY, TOP_P = 3, TOP_P_95, TOP_K_640, SAMPLING, HOT, CORPUS, PENALTY };

/* All strategies with the model of one seed, and the corpus among them. */
static void measure_strategies(TextMeasure *by, Csv *csv, const TextModel *m,
                               uint64_t seed) {
    unsigned long long number = seed;
    for (size_t s = 0; s < STRATEGIES; s++) {
        const char *name = strategies[s].name;
        by[s] = measure_strategy(m, s != CORPUS ? &strategies[s].sampling : NULL, seed);
        csv_row(csv, "%llu,%zu,%s,%.6g,%.6g,%.6g", number, s, name, by[s].perplexity,
                by[s].distinct, by[s].in_texts);
        printf("%4llu  %-19s %10.2f %12.3f %12.3f\n", number, name, by[s].perplexity,
               by[s].distinct, by[s].in_texts);
    }
}

/* The claims that held for every model so far. */
typedef struct {
    bool rises, around, no_filter, nearer, mends;
    double poorest; /* distinct 4-grams of a filter, in those of greedy text */
} Findings;

static void look_at(Findings *f, const TextMeasure m[STRATEGIES]) {
    for (size_t s = GREEDY + 1; s < TOP_K_640; s++) {
        f->rises = f->rises && m[GREEDY].perplexity < m[s].perplexity &&
                   m[s].perplexity < m[SAMPLING].perplexity;
        f->poorest = smaller(f->poorest, m[s].distinct / m[GREEDY].distinct);
    }
    f->rises = f->rises && m[SAMPLING].perplexity < m[HOT].perplexity;
    f->around = f->around && m[GREEDY].perplexity < m[CORPUS].perplexity &&
                m[CORPUS].perplexity < m[SAMPLING].perplexity;
    f->no_filter = f->no_filter && m[TOP_K_640].perplexity == m[SAMPLING].perplexity &&
                   m[TOP_K_640].distinct == m[SAMPLING].distinct;
    f->nearer = f->nearer && fabs(m[TOP_P_95].perplexity - m[CORPUS].perplexity) <
                                 fabs(m[TOP_P].perplexity - m[CORPUS].perplexity);
    f->mends = f->mends && m[PENALTY].in_texts > m[CORPUS].in_texts &&
               m[PENALTY].distinct < 0.6 * m[CORPUS].distinct;
}

void experiment_strategies(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "strategies",
                        "seed,place,strategy,perplexity,distinct,in_texts");
    printf("seed  %-19s %10s %12s %12s\n", "strategy", "perplexity", "distinct-4",
           "in one text");
    Findings f = {.rises = true,
                  .around = true,
                  .no_filter = true,
                  .nearer = true,
                  .mends = true,
                  .poorest = INFINITY};
    size_t seeds = settings->quick ? 1 : SEEDS;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        TextMeasure m[STRATEGIES];
        measure_strategies(m, &csv, trained_model(seed, settings->quick), seed);
        look_at(&f, m);
    }
    csv_commit(&csv);
    claim(f.rises,
          "perplexity: greedy < temperature 0.7, top-k 10, top-p < sampling < "
          "temperature 1.3, for each of %zu "
          "seeds",
          seeds);
    claim(f.around,
          "the corpus lies between greedy text and sampled text, for each of %zu seeds",
          seeds);
    claim(f.poorest > 3,
          "each filter has at least %.1f times the distinct 4-grams of greedy text",
          f.poorest);
    claim(f.no_filter, "top-k 640 of 512 tokens is sampling, for each of %zu seeds",
          seeds);
    claim(f.nearer,
          "top-p 0.95 is nearer to the perplexity of the corpus than top-p 0.9, for "
          "each of %zu seeds",
          seeds);
    claim(f.mends,
          "a penalty of 1.2 on greedy text: more distinct 4-grams within a text than "
          "the corpus, in all texts less than 0.6 of it, for each of %zu seeds",
          seeds);
}
