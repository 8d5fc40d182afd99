/* Perplexity and variety of texts by strategy, beside the corpus; and where a text
 * repeats itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/trained.h"
#include "12-generation/writing.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "base/memory.h"

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
    /* The two of Holtzman et al. */
    {"top-p 0.95", {.temperature = 1, .top_p = 0.95, .repetition_penalty = 1}},
    {"top-k 640",
     {.temperature = 1, .top_k = 640, .top_p = 1, .repetition_penalty = 1}},
    {"sampling", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 1.3", {.temperature = 1.3, .top_p = 1, .repetition_penalty = 1}},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies, CORPUS = STRATEGIES };
enum { GREEDY, TOP_P = 3, TOP_P_95, TOP_K_640, SAMPLING, HOT };

/* Writes columns PROMPT .. LENGTH - 1 of all texts, a column at a time. */
static void write_columns(const Gpt2 *model, int *texts, const GenerateSettings *g,
                          uint64_t seed) {
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
        const float *logits =
            gpt2_logits_at(&tape, model, gpt2_hidden(&tape, model, &input), at);
        for (size_t b = 0; b < TEXTS; b++) {
            texts[b * LENGTH + n] =
                generate_next(scratch, logits + b * n_vocab, n_vocab,
                              texts + b * LENGTH, n, n - PROMPT, g, &random[b]);
        }
    }
    tape_free(&tape);
    free(read);
    free(scratch);
}

typedef struct {
    double perplexity, distinct;
    double in_stories; /* distinct n-grams, where only the same story counts as a
                          repetition */
    double openings;   /* different first NGRAM tokens of stories, divided by how many
                          stories were begun */
} TextMeasure;

/* What stands between two line feeds, behind the prompt: one story at a time. */
static void measure_stories(TextMeasure *measure, const int *texts, int newline) {
    int *openings = checked_alloc(TEXTS * LENGTH, sizeof *openings);
    double different = 0, all = 0;
    size_t begun = 0;
    for (size_t b = 0; b < TEXTS; b++) {
        const int *row = texts + b * LENGTH;
        for (size_t from = PROMPT, to; from < LENGTH; from = to + 1) {
            for (to = from; to < LENGTH && row[to] != newline;) to++;
            if (to - from < NGRAM) continue;
            double n = (double)(to - from - NGRAM + 1);
            different += n * distinct_ngrams(row + from, 1, to - from, 0, NGRAM);
            all += n;
            if (from > PROMPT)
                memcpy(openings + NGRAM * begun++, row + from, NGRAM * sizeof *row);
        }
    }
    measure->in_stories = different / all;
    measure->openings = distinct_ngrams(openings, begun, NGRAM, 0, NGRAM);
    free(openings);
}

static TextMeasure measure_texts(const TextModel *m, const int *texts) {
    double *log_p = token_log_p(m->model, texts, TEXTS, LENGTH), sum = 0;
    for (size_t b = 0; b < TEXTS; b++) {
        for (size_t i = PROMPT; i < LENGTH; i++) sum += log_p[b * LENGTH + i];
    }
    free(log_p);
    TextMeasure measure = {.perplexity = exp_double(-sum / (TEXTS * (LENGTH - PROMPT))),
                           .distinct =
                               distinct_ngrams(texts, TEXTS, LENGTH, PROMPT, NGRAM)};
    measure_stories(&measure, texts, text_model_token(m, "\\n"));
    return measure;
}

/* All strategies with the model of one seed, and the corpus behind them; one row of
 * each table each. */
static void measure_strategies(TextMeasure *by, Csv *csv, Csv *repeats,
                               const TextModel *m, uint64_t seed) {
    unsigned long long number = seed;
    for (size_t s = 0; s <= STRATEGIES; s++) {
        const char *name = s < STRATEGIES ? strategies[s].name : "corpus";
        int *texts = corpus_windows(m, TEXTS, LENGTH);
        if (s < STRATEGIES) {
            GenerateSettings g = {.sampling = strategies[s].sampling,
                                  .stop_token = NO_STOP_TOKEN};
            write_columns(m->model, texts, &g, seed);
        }
        by[s] = measure_texts(m, texts);
        csv_row(csv, "%llu,%zu,%s,%.6g,%.6g", number, s, name, by[s].perplexity,
                by[s].distinct);
        csv_row(repeats, "%llu,%zu,%s,%.6g,%.6g,%.6g", number, s, name, by[s].distinct,
                by[s].in_stories, by[s].openings);
        printf("%4llu  %-16s %10.2f %12.3f %12.3f %10.3f\n", number, name,
               by[s].perplexity, by[s].distinct, by[s].in_stories, by[s].openings);
        free(texts);
    }
}

/* What holds for every model. */
typedef struct {
    bool rises, around, no_filter, nearer;
    double poorest;    /* distinct 4-grams of a filter, in those of greedy text */
    double in_stories; /* of greedy text, in those of the corpus */
    double openings;   /* the same of the openings */
} Findings;

static void look_at(Findings *f, const TextMeasure m[STRATEGIES + 1]) {
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
    f->in_stories = smaller(f->in_stories, m[GREEDY].in_stories / m[CORPUS].in_stories);
    f->openings = larger(f->openings, m[GREEDY].openings / m[CORPUS].openings);
}

void experiment_strategies(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "12-strategies",
                        "seed,place,strategy,perplexity,distinct");
    Csv repeats = csv_begin(settings->out, "12-repeats",
                            "seed,place,strategy,distinct,in_stories,openings");
    printf("seed  %-16s %10s %12s %12s %10s\n", "strategy", "perplexity", "distinct-4",
           "in stories", "openings");
    Findings f = {.rises = true,
                  .around = true,
                  .no_filter = true,
                  .nearer = true,
                  .poorest = INFINITY,
                  .in_stories = INFINITY};
    size_t seeds = settings->quick ? 1 : SEEDS;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        TextMeasure m[STRATEGIES + 1];
        measure_strategies(m, &csv, &repeats, trained_model(seed, settings->quick),
                           seed);
        look_at(&f, m);
    }
    csv_commit(&csv);
    csv_commit(&repeats);
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
    claim(f.in_stories > 0.9 && f.openings < 0.25,
          "greedy text: at least %.2f of the distinct 4-grams that the corpus has "
          "inside a story (0.9), at "
          "most "
          "%.2f of its different beginnings (0.25)",
          f.in_stories, f.openings);
}
