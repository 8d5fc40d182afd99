/* What a cache that forgets costs, with and without attention sinks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/trained.h"
#include "13-kv-cache/experiments/experiments.h"
#include "13-kv-cache/kv_cache.h"
#include "program/claim.h"
#include "text/corpus.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "math/fmath.h"

enum {
    SEEDS = 3,
    CONTEXT = 128,
    TEXTS = 48,
    WINDOW = 48,
    SINKS = 4,
    BIN = 16,
    BINS = CONTEXT / BIN,
    MOST_LAYERS = 48
};

typedef enum { FULL, WINDOW_ONLY, WITH_SINKS, KINDS } Kind;

static KvCache cache_of(const Gpt2Config *config, Kind kind) {
    if (kind == FULL) return kv_cache_create(config, TEXTS, CONTEXT);
    if (kind == WINDOW_ONLY) return kv_cache_create_window(config, TEXTS, 0, WINDOW);
    return kv_cache_create_window(config, TEXTS, SINKS, WINDOW - SINKS);
}

/* Mean -ln p of tokens: in each bin of positions, and behind position 2 * WINDOW of
 * those tokens only whose story lies in the window from its first token on, with sinks
 * or without. */
typedef struct {
    double by_position[BINS], in_sight;
} Loss;

/* All texts in step, a token at a time. */
static Loss loss_with(const Gpt2 *model, const int *texts, Kind kind) {
    size_t n_vocab = model->config.n_vocab, n_new[TEXTS], begun[TEXTS] = {0},
           count[BINS] = {0}, in_sight = 0;
    int fed[TEXTS];
    Loss loss = {0};
    KvCache cache = cache_of(&model->config, kind);
    Tape tape = tape_for_inference();
    for (size_t b = 0; b < TEXTS; b++) n_new[b] = 1;
    for (size_t t = 0; t + 1 < CONTEXT; t++) {
        for (size_t b = 0; b < TEXTS; b++) {
            fed[b] = texts[b * CONTEXT + t];
            if (fed[b] == texts[b * CONTEXT])
                begun[b] = t; /* a story begins with its line feed, as a text does */
        }
        const float *logits = kv_cache_logits(&tape, model, &cache, fed, 1, n_new);
        for (size_t b = 0; b < TEXTS; b++) {
            double nats = -log_probability(logits + b * n_vocab, n_vocab,
                                           texts[b * CONTEXT + t + 1]);
            loss.by_position[t / BIN] += nats;
            if (t < 2 * WINDOW || t - begun[b] >= WINDOW - SINKS) continue;
            loss.in_sight += nats;
            in_sight++;
        }
        count[t / BIN] += TEXTS;
    }
    for (size_t i = 0; i < BINS; i++) loss.by_position[i] /= (double)count[i];
    loss.in_sight /= (double)in_sight;
    kv_cache_free(&cache);
    tape_free(&tape);
    return loss;
}

/* --- how much attention the first tokens get --- */

/* The mean attention to the first SINKS tokens from those behind the window, over
 * heads, texts and tokens. */
static double sink_mass(const Tensor *weights) {
    size_t length = weights->shape[weights->ndim - 1], rows = tensor_rows(weights),
           queries = 0;
    double mass = 0;
    for (size_t r = 0; r < rows; r++) {
        if (r % length < WINDOW) continue;
        for (size_t s = 0; s < SINKS; s++)
            mass += (double)weights->data[r * length + s];
        queries++;
    }
    return mass / (double)queries;
}

/* Of each layer. */
static void sink_attention(double *mass, const Gpt2 *model, const int *texts) {
    Tensor *weights[MOST_LAYERS];
    Tape tape = tape_for_inference();
    Gpt2Input input = {.tokens = texts, .batch = TEXTS, .length = CONTEXT};
    gpt2_hidden_with_weights(&tape, model, &input, weights);
    for (size_t l = 0; l < model->config.n_layer; l++) mass[l] = sink_mass(weights[l]);
    tape_free(&tape);
}

/* The same if each token looked at all before it equally. */
static double uniform_mass(void) {
    double sum = 0;
    for (size_t t = WINDOW; t < CONTEXT; t++) sum += SINKS / (double)(t + 1);
    return sum / (CONTEXT - WINDOW);
}

/* --- the experiment --- */

typedef struct {
    Loss loss[KINDS];
    double mass[MOST_LAYERS]; /* of attention on the first SINKS tokens, by layer */
} SinkMeasure;

static void measure(SinkMeasure *m, const TextModel *text_model) {
    const Gpt2 *model = text_model->model;
    if (model->config.n_ctx < CONTEXT || model->config.n_layer > MOST_LAYERS)
        die("sinks: a context of %zu and %zu layers, expected at least %d and at most "
            "%d",
            model->config.n_ctx, model->config.n_layer, CONTEXT, MOST_LAYERS);
    int *texts = corpus_windows(text_model, TEXTS, CONTEXT);
    for (Kind kind = 0; kind < KINDS; kind++)
        m->loss[kind] = loss_with(model, texts, kind);
    sink_attention(m->mass, model, texts);
    free(texts);
}

/* Perplexity behind position 2 * WINDOW, where a window has long lost the first
 * tokens. */
static double late_perplexity(const SinkMeasure *m, Kind kind) {
    double sum = 0;
    size_t first = 2 * WINDOW / BIN;
    for (size_t i = first; i < BINS; i++) sum += m->loss[kind].by_position[i];
    return exp_double(sum / (double)(BINS - first));
}

/* By which share the window raises the perplexity, and which share of the rise is gone
 * with sinks. */
static double window_cost(const SinkMeasure *m) {
    return late_perplexity(m, WINDOW_ONLY) / late_perplexity(m, FULL) - 1;
}

static double brought_back(const SinkMeasure *m) {
    double window = late_perplexity(m, WINDOW_ONLY);
    return (window - late_perplexity(m, WITH_SINKS)) /
           (window - late_perplexity(m, FULL));
}

static double in_sight(const SinkMeasure *m, Kind kind) {
    return exp_double(m->loss[kind].in_sight);
}

/* --- how long a story is --- */

/* Stories of the corpus in tokens, their line feeds included. */
static void log_stories(Csv *csv, uint64_t seed, const Tokenizer *tokenizer) {
    CorpusText text = corpus_generate(seed + 1000, 200000);
    double sum = 0, longest = 0, fit = 0;
    for (const char *line = text.text, *end; *line; line = end) {
        size_t n;
        end = strchr(line, '\n') + 1;
        free(tokenizer_encode(tokenizer, line, (size_t)(end - line), false, &n));
        sum += (double)n / (double)text.stories;
        longest = larger(longest, (double)n);
        fit += (n <= WINDOW) / (double)text.stories;
    }
    csv_row(csv, "%llu,%.6g,%.0f,%.6g", (unsigned long long)seed, sum, longest, fit);
    free(text.text);
}

static void log_measure(Csv *by_position, Csv *summary, Csv *attention, uint64_t seed,
                        const SinkMeasure *m, size_t n_layer) {
    unsigned long long number = seed;
    for (size_t i = 0; i < BINS; i++) {
        csv_row(by_position, "%llu,%zu,%.6g,%.6g,%.6g", number, i * BIN + BIN / 2,
                exp_double(m->loss[FULL].by_position[i]),
                exp_double(m->loss[WINDOW_ONLY].by_position[i]),
                exp_double(m->loss[WITH_SINKS].by_position[i]));
    }
    csv_row(summary, "%llu,%.6g,%.6g,%.6g,%.6g,%.6g", number, late_perplexity(m, FULL),
            late_perplexity(m, WINDOW_ONLY), late_perplexity(m, WITH_SINKS),
            window_cost(m), brought_back(m));
    for (size_t l = 0; l < n_layer; l++)
        csv_row(attention, "%llu,%zu,%.6g,%.6g", number, l, m->mass[l], uniform_mass());
    printf("%4llu %10.3f %10.3f %10.3f  ", number, late_perplexity(m, FULL),
           late_perplexity(m, WINDOW_ONLY), late_perplexity(m, WITH_SINKS));
    for (size_t l = 0; l < n_layer; l++) printf(" %.3f", m->mass[l]);
    printf("\n");
}

void experiment_sinks(const Settings *settings, const char *model_directory) {
    Csv by_position =
        csv_begin(settings->out, "13-sinks", "seed,position,full,window,sinks");
    Csv summary = csv_begin(settings->out, "13-sinks-late",
                            "seed,full,window,sinks,cost,brought_back");
    Csv attention =
        csv_begin(settings->out, "13-sink-attention", "seed,layer,mass,uniform");
    Csv sight =
        csv_begin(settings->out, "13-sinks-in-sight", "seed,full,window,sinks,cost");
    Csv stories =
        csv_begin(settings->out, "13-stories", "seed,mean,longest,fit_window");
    printf("perplexity from position %d on; attention that the first %d tokens get, by "
           "layer\n",
           2 * WINDOW, SINKS);
    printf("%4s %10s %10s %10s   %s\n", "seed", "full", "window", "sinks", "attention");
    size_t seeds = settings->quick || model_directory ? 1 : SEEDS;
    SmallModel size = {.n_layer = 4,
                       .d_model = 32,
                       .n_ctx = CONTEXT,
                       .steps = settings->quick ? 100 : 1000};
    double least_cost = INFINITY, least_help = INFINITY, least_in_sight = INFINITY;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        TextModel t = model_directory ? text_model_load(model_directory)
                                      : text_model_train(seed, &size);
        SinkMeasure m = {0};
        measure(&m, &t);
        log_measure(&by_position, &summary, &attention, seed, &m,
                    t.model->config.n_layer);
        double cost = in_sight(&m, WINDOW_ONLY) / in_sight(&m, FULL) - 1;
        csv_row(&sight, "%llu,%.6g,%.6g,%.6g,%.6g", (unsigned long long)seed,
                in_sight(&m, FULL), in_sight(&m, WINDOW_ONLY), in_sight(&m, WITH_SINKS),
                cost);
        log_stories(&stories, seed, t.tokenizer);
        least_in_sight = smaller(least_in_sight, cost);
        least_cost = smaller(least_cost, window_cost(&m));
        least_help = smaller(least_help, brought_back(&m));
        text_model_free(&t);
    }
    csv_commit(&by_position);
    csv_commit(&summary);
    csv_commit(&attention);
    csv_commit(&sight);
    csv_commit(&stories);
    if (model_directory) return; /* what holds for our models need not for others */
    claim(least_cost > 0.03,
          "a window of %d tokens raises the perplexity by at least %.1f %%", WINDOW,
          100 * least_cost);
    claim(least_in_sight > 0,
          "  also where the story lies in it whole: by at least %.1f %%",
          100 * least_in_sight);
    claim(least_help > 0.25,
          "%d sinks in the place of as many tokens bring back at least %.2f of that",
          SINKS, least_help);
}
