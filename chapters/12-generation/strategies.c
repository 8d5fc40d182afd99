/* Experiments about how text is drawn from a model: see strategies.h. */
#include "12-generation/strategies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/options.h"
#include "12-generation/trained.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "fmath.h"
#include "memory.h"

enum { SEEDS = 3, TEXTS = 24, LENGTH = 128, PROMPT = 9, NGRAM = 4 };

/* --- texts by strategy --- */

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
static void write_texts(const Gpt2 *model, int *texts, const GenerateSettings *g, uint64_t seed) {
    size_t n_vocab = model->config.n_vocab, at[TEXTS];
    Random random[TEXTS];
    int *read = checked_alloc(TEXTS * LENGTH, sizeof *read);
    double *scratch = checked_alloc(n_vocab, sizeof *scratch);
    Tape tape = tape_create(0);
    tape.recording = tape.training = false;
    for (size_t b = 0; b < TEXTS; b++) random[b] = writer_random(seed, b);
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

static TextMeasure measure_texts(const Writer *w, const int *texts) {
    double *log_p = token_log_p(w->model, texts, TEXTS, LENGTH), sum = 0;
    for (size_t b = 0; b < TEXTS; b++) {
        for (size_t i = PROMPT; i < LENGTH; i++) sum += log_p[b * LENGTH + i];
    }
    free(log_p);
    return (TextMeasure){exp_double(-sum / (TEXTS * (LENGTH - PROMPT))),
                         distinct_ngrams(texts, TEXTS, LENGTH, PROMPT, NGRAM)};
}

/* All strategies with the model of one seed, and the corpus behind them; one row of the table each. */
static void measure_strategies(TextMeasure *m, Csv *csv, const Writer *w, uint64_t seed) {
    for (size_t s = 0; s <= STRATEGIES; s++) {
        const char *name = s < STRATEGIES ? strategies[s].name : "corpus";
        int *texts = corpus_windows(w, TEXTS, LENGTH);
        if (s < STRATEGIES) {
            GenerateSettings g = {.sampling = strategies[s].sampling, .stop_token = NO_STOP_TOKEN};
            write_texts(w->model, texts, &g, seed);
        }
        m[s] = measure_texts(w, texts);
        csv_row(csv, "%llu,%zu,%s,%.6g,%.6g", (unsigned long long)seed, s, name, m[s].perplexity,
                m[s].distinct);
        printf("%4llu  %-16s %10.2f %12.3f\n", (unsigned long long)seed, name, m[s].perplexity,
               m[s].distinct);
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
        measure_strategies(m, &csv, trained_writer(seed, settings->quick), seed);
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

/* --- one distribution, filter by filter --- */

static const char *const contexts[] = {
    "\nAnna puts a small",
    "\nAnna puts a small ball in the box. Then Ben is happy. Nearby two dogs run on the hill. Where is the "
    "ball? In the",
};

static const Strategy filters[] = {
    {"as it is", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 0.5", {.temperature = 0.5, .top_p = 1, .repetition_penalty = 1}},
    {"temperature 2", {.temperature = 2, .top_p = 1, .repetition_penalty = 1}},
    {"top-k 5", {.temperature = 1, .top_k = 5, .top_p = 1, .repetition_penalty = 1}},
    {"top-p 0.9", {.temperature = 1, .top_p = 0.9, .repetition_penalty = 1}},
};
enum {
    FILTERS = sizeof filters / sizeof *filters,
    CONTEXTS = sizeof contexts / sizeof *contexts,
    RANKS = 16
};

/* A token as it can stand in a cell: without the blank in front; a line feed by its name. */
static void token_name(const Writer *w, int token, char name[32]) {
    size_t bytes;
    const char *text = tokenizer_token(w->tokenizer, token, &bytes);
    if (bytes == 1 && text[0] == '\n') text = "\\n", bytes = 2;
    if (bytes > 1 && text[0] == ' ') text++, bytes--;
    snprintf(name, 32, "%.*s", (int)bytes, text);
}

static void log_filters(Csv *csv, const Writer *w, size_t place) {
    size_t n, n_vocab = w->model->config.n_vocab, kept[FILTERS] = {0};
    int *context = tokenizer_encode(w->tokenizer, contexts[place], strlen(contexts[place]), false, &n);
    PlainModel plain = plain_model_create(w->model);
    LanguageModel lm = plain_model(&plain);
    const float *logits = lm.next_logits(lm.self, context, n);
    double *p = checked_alloc(n_vocab, sizeof *p), *by_rank = checked_alloc(n_vocab, sizeof *by_rank);
    int order[RANKS];
    for (size_t f = 0; f < FILTERS; f++) {
        sampling_probabilities(p, logits, n_vocab, context, n, &filters[f].sampling);
        for (size_t v = 0; v < n_vocab; v++) kept[f] += p[v] > 0;
        if (f == 0) memcpy(by_rank, p, n_vocab * sizeof *p);
        for (size_t r = 0; r < RANKS; r++) {
            char name[32];
            if (f == 0) {
                order[r] = sampling_argmax(by_rank, n_vocab);
                by_rank[order[r]] = -1;
            }
            token_name(w, order[r], name);
            csv_row(csv, "%zu,%zu,%s,%zu,\"%s\",%.6g,%zu", place, f, filters[f].name, r + 1, name,
                    p[order[r]], kept[f]);
        }
        printf("%-8s %-16s likeliest %.3f, %zu tokens left\n", place ? "little" : "much", filters[f].name,
               p[order[0]], kept[f]);
    }
    free(context);
    free(p);
    free(by_rank);
    plain_model_free(&plain);
}

/* How many tokens the nucleus of 0.9 holds at each place of the corpus texts. */
static void log_nucleus(const Settings *settings, const Writer *w) {
    size_t n_vocab = w->model->config.n_vocab, n = TEXTS * (LENGTH - 1), at = 0;
    int *texts = corpus_windows(w, TEXTS, LENGTH);
    double *p = checked_alloc(n_vocab, sizeof *p), *sizes = checked_alloc(n, sizeof *sizes);
    Tape tape = tape_create(0);
    tape.recording = tape.training = false;
    Gpt2Input input = {.tokens = texts, .batch = TEXTS, .length = LENGTH};
    const float *logits = gpt2_logits(&tape, w->model, &input)->data;
    for (size_t i = 0; i < TEXTS * LENGTH; i++) {
        if ((i + 1) % LENGTH == 0) continue;
        sampling_probabilities(p, logits + i * n_vocab, n_vocab, NULL, 0, &filters[FILTERS - 1].sampling);
        for (size_t v = 0; v < n_vocab; v++) sizes[at] += p[v] > 0;
        at++;
    }
    static const double shares[] = {0, 0.25, 0.5, 0.75, 0.9, 1};
    Csv csv = csv_begin(settings->out, "12-nucleus", "share_of_places,nucleus_size");
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        csv_row(&csv, "%g,%g", shares[i], quantile(sizes, n, shares[i]));
    csv_commit(&csv);
    claim(quantile(sizes, n, 0) == 1 && quantile(sizes, n, 1) >= 10,
          "the nucleus of 0.9 holds %g to %g tokens along a text, %g in the median", quantile(sizes, n, 0),
          quantile(sizes, n, 1), quantile(sizes, n, 0.5));
    tape_free(&tape);
    free(texts);
    free(p);
    free(sizes);
}

void experiment_filters(const Settings *settings) {
    const Writer *w = trained_writer(settings->seed, settings->quick);
    Csv csv = csv_begin(settings->out, "12-filters", "context,step,filter,rank,token,probability,kept");
    for (size_t i = 0; i < CONTEXTS; i++) log_filters(&csv, w, i);
    csv_commit(&csv);
    log_nucleus(settings, w);
}

/* --- repetition feedback --- */

static const char *const phrases[] = {
    " Then Ben is happy.",          " Now Anna is sad and tired.", " Then Mia sings a funny song.",
    " The small cat is hungry.",    " Then Tom drinks tea.",       " Nearby two dogs run on the hill.",
    " Then Lily goes to the lake.", " Now Sam is busy and calm.",
};
enum { PHRASES = sizeof phrases / sizeof *phrases, REPEATS = 8 };

/* The geometric mean over the tokens of one phrase of their probability, for each repetition. */
static void feedback_of(double *per_token, const Writer *w, const char *phrase) {
    static const char opening[] = "\nAnna puts a small ball in the box.";
    size_t n_opening, n;
    int *first = tokenizer_encode(w->tokenizer, opening, strlen(opening), false, &n_opening);
    int *tokens = tokenizer_encode(w->tokenizer, phrase, strlen(phrase), false, &n);
    size_t length = n_opening + REPEATS * n;
    int *all = checked_alloc(length, sizeof *all);
    memcpy(all, first, n_opening * sizeof *all);
    for (size_t k = 0; k < REPEATS; k++) memcpy(all + n_opening + k * n, tokens, n * sizeof *all);
    double *log_p = token_log_p(w->model, all, 1, length);
    for (size_t k = 0; k < REPEATS; k++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += log_p[n_opening + k * n + i];
        per_token[k] = sum / (double)n;
    }
    free(first);
    free(tokens);
    free(all);
    free(log_p);
}

void experiment_feedback(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "12-feedback", "seed,said_before,probability,share_of_first");
    double closest = 0; /* the probability behind two repetitions, as a share of the first */
    size_t seeds = settings->quick ? 1 : SEEDS;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        const Writer *w = trained_writer(seed, settings->quick);
        double sum[REPEATS] = {0}, one[REPEATS];
        for (size_t i = 0; i < PHRASES; i++) {
            feedback_of(one, w, phrases[i]);
            for (size_t k = 0; k < REPEATS; k++) sum[k] += one[k] / PHRASES;
        }
        printf("seed %llu:", (unsigned long long)seed);
        for (size_t k = 0; k < REPEATS; k++) {
            csv_row(&csv, "%llu,%zu,%.6g,%.6g", (unsigned long long)seed, k, exp_double(sum[k]),
                    exp_double(sum[k] - sum[0]));
            printf(" %.3f", exp_double(sum[k]));
            if (k >= 2) closest = larger(closest, exp_double(sum[k] - sum[0]));
        }
        printf("\n");
    }
    csv_commit(&csv);
    claim(closest < 0.6, "said twice already, a sentence has at most %.2f of its first probability a token",
          closest);
}
