/* Perplexity and variety of texts by strategy, beside the corpus. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/trained.h"
#include "12-generation/writing.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "fmath.h"
#include "memory.h"

enum { SEEDS = 3, TEXTS = 24, LENGTH = 128, PROMPT = 9, NGRAM = 4 };

typedef struct {
    const char *name;
    SamplingSettings sampling;
} Strategy;

static const Strategy strategies[] = {
    {"greedy", {.greedy = true, .temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 0.7", {.temperature = 0.7, .top_p = 1, .repetition_penalty = 1}},
    {"top-k 10", {.temperature = 1, .top_k = 10, .top_p = 1, .repetition_penalty = 1}},
    {"top-p 0.9", {.temperature = 1, .top_p = 0.9, .repetition_penalty = 1}},
    {"sampling", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 1.3", {.temperature = 1.3, .top_p = 1, .repetition_penalty = 1}},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* Writes columns PROMPT .. LENGTH - 1 of all texts, a column at a time. */
static void write_columns(const Gpt2 *model, int *texts, const GenerateSettings *g, uint64_t seed) {
    size_t n_vocab = model->config.n_vocab, at[TEXTS];
    Random random[TEXTS];
    int *read = checked_alloc(TEXTS * LENGTH, sizeof *read);
    double *scratch = checked_alloc(n_vocab, sizeof *scratch);
    Tape tape = tape_for_inference();
    for (size_t b = 0; b < TEXTS; b++) random[b] = writing_random(seed, b);
    for (size_t n = PROMPT; n < LENGTH; n++) {
        for (size_t b = 0; b < TEXTS; b++) {
            memcpy(read + b * n, texts + b * LENGTH, n * sizeof *read);
            at[b] = n - 1;
        }
        tape_reset(&tape);
        Gpt2Input input = {.tokens = read, .batch = TEXTS, .length = n};
        const float *logits = gpt2_logits_at(&tape, model, gpt2_hidden(&tape, model, &input), at);
        for (size_t b = 0; b < TEXTS; b++) {
            texts[b * LENGTH + n] = generate_next(scratch, logits + b * n_vocab, n_vocab, texts + b * LENGTH,
                                                  n, n - PROMPT, g, &random[b]);
        }
    }
    tape_free(&tape);
    free(read);
    free(scratch);
}

typedef struct {
    double perplexity, distinct;
} TextMeasure;

static TextMeasure measure_texts(const TextModel *m, const int *texts) {
    double *log_p = token_log_p(m->model, texts, TEXTS, LENGTH), sum = 0;
    for (size_t b = 0; b < TEXTS; b++) {
        for (size_t i = PROMPT; i < LENGTH; i++) sum += log_p[b * LENGTH + i];
    }
    free(log_p);
    return (TextMeasure){exp_double(-sum / (TEXTS * (LENGTH - PROMPT))),
                         distinct_ngrams(texts, TEXTS, LENGTH, PROMPT, NGRAM)};
}

/* All strategies with the model of one seed, and the corpus behind them; one row of the table each. */
static void measure_strategies(TextMeasure *by, Csv *csv, const TextModel *m, uint64_t seed) {
    for (size_t s = 0; s <= STRATEGIES; s++) {
        const char *name = s < STRATEGIES ? strategies[s].name : "corpus";
        int *texts = corpus_windows(m, TEXTS, LENGTH);
        if (s < STRATEGIES) {
            GenerateSettings g = {.sampling = strategies[s].sampling, .stop_token = NO_STOP_TOKEN};
            write_columns(m->model, texts, &g, seed);
        }
        by[s] = measure_texts(m, texts);
        csv_row(csv, "%llu,%zu,%s,%.6g,%.6g", (unsigned long long)seed, s, name, by[s].perplexity,
                by[s].distinct);
        printf("%4llu  %-16s %10.2f %12.3f\n", (unsigned long long)seed, name, by[s].perplexity,
               by[s].distinct);
        free(texts);
    }
}

void experiment_strategies(const Settings *settings) {
    enum { GREEDY, SAMPLING = STRATEGIES - 2, HOT = STRATEGIES - 1, CORPUS = STRATEGIES };
    Csv csv = csv_begin(settings->out, "12-strategies", "seed,place,strategy,perplexity,distinct");
    printf("seed  %-16s %10s %12s\n", "strategy", "perplexity", "distinct-4");
    bool rises = true, around = true;
    double poorest = INFINITY;
    size_t seeds = settings->quick ? 1 : SEEDS;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        TextMeasure m[STRATEGIES + 1];
        measure_strategies(m, &csv, trained_model(seed, settings->quick), seed);
        for (size_t s = GREEDY + 1; s < SAMPLING; s++) {
            rises =
                rises && m[GREEDY].perplexity < m[s].perplexity && m[s].perplexity < m[SAMPLING].perplexity;
            poorest = smaller(poorest, m[s].distinct / m[GREEDY].distinct);
        }
        rises = rises && m[SAMPLING].perplexity < m[HOT].perplexity;
        around = around && m[GREEDY].perplexity < m[CORPUS].perplexity &&
                 m[CORPUS].perplexity < m[SAMPLING].perplexity;
    }
    csv_commit(&csv);
    claim(rises,
          "perplexity: greedy < temperature 0.7, top-k, top-p < sampling < temperature 1.3, for each of %zu "
          "seeds",
          seeds);
    claim(around, "the corpus lies between greedy text and sampled text, for each of %zu seeds", seeds);
    claim(poorest > 3, "each filter has at least %.1f times the distinct 4-grams of greedy text", poorest);
}
