/* The perplexity with a cache that forgets: a window, with attention sinks, and with
 * four other old tokens in their place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/trained_models.h"
#include "13-kv-cache/attention_step.h"
#include "10-gpt2/reading.h"
#include "13-kv-cache/experiments/experiments.h"
#include "program/claim.h"
#include "text/corpus.h"
#include "files/csv.h"
#include "base/error.h"
#include "base/memory.h"
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
    LATE = 2 * WINDOW /* a window has long lost the first tokens */
};

/* The tokens that one at position t may attend to: the last `window` tokens, itself
 * among them, and `n_kept` from position `first` on. */
typedef struct {
    size_t window, first, n_kept;
} Held;

typedef enum { FULL, WINDOW_ONLY, WITH_SINKS, NEXT_FOUR, MIDDLE_FOUR, KINDS } Kind;
static const Held held[KINDS] = {
    [FULL] = {.window = CONTEXT},
    [WINDOW_ONLY] = {.window = WINDOW},
    [WITH_SINKS] = {.window = WINDOW - SINKS, .first = 0, .n_kept = SINKS},
    [NEXT_FOUR] = {.window = WINDOW - SINKS, .first = 4, .n_kept = SINKS},
    [MIDDLE_FOUR] = {.window = WINDOW - SINKS, .first = 20, .n_kept = SINKS},
};

static bool is_held(const Held *h, size_t position, size_t t) {
    return t - position < h->window ||
           (position >= h->first && position < h->first + h->n_kept);
}

/* --- attention that sees only what is held --- */

typedef struct {
    const Attention *attn;
    const Held *held;
    size_t n_head;
} HeldAttention;

/* One head of one text: out and qkv begin at its first row, `dim` and 3 * `dim` apart.
 * The keys and values that each token may see are put side by side, as in a cache. */
static void attend_held(float *out, const float *qkv, size_t length, size_t dim,
                        size_t head_dim, const Held *h) {
    float *keys = checked_alloc(3 * length * head_dim, sizeof *keys),
          *values = keys + length * head_dim, *scratch = values + length * head_dim;
    for (size_t t = 0; t < length; t++) {
        size_t n = 0;
        for (size_t s = 0; s <= t; s++) {
            if (!is_held(h, s, t)) continue;
            const float *key = qkv + s * 3 * dim + dim;
            memcpy(keys + n * head_dim, key, head_dim * sizeof *keys);
            memcpy(values + n * head_dim, key + dim, head_dim * sizeof *keys);
            n++;
        }
        attention_step(out + t * dim, scratch, qkv + t * 3 * dim, keys, values, 1,
                       head_dim, length, n);
    }
    free(keys);
}

static Tensor *held_forward(Tape *t, const void *self, Tensor *x) {
    const HeldAttention *a = self;
    size_t length = x->shape[1], dim = x->shape[2], head_dim = dim / a->n_head;
    Tensor *qkv = linear(t, &a->attn->c_attn, x);
    Tensor *mixed = tape_output(t, "held attention", 3, x->shape, TAPE_INPUTS(qkv));
    for (size_t b = 0; b < x->shape[0]; b++) {
        for (size_t h = 0; h < a->n_head; h++) {
            size_t row = b * length * dim;
            attend_held(mixed->data + row + h * head_dim,
                        qkv->data + 3 * row + h * head_dim, length, dim, head_dim,
                        a->held);
        }
    }
    tape_record(t, mixed, NULL); /* there is no way back: this is for inference */
    return linear(t, &a->attn->c_proj, mixed);
}

/* Mean -ln p of tokens: in each bin of positions, and from position LATE on of those
 * tokens only whose story lies in the window from its first token on, with sinks or
 * without. */
typedef struct {
    double by_position[BINS], in_sight;
} Loss;

static Loss mean_loss(const float *logits, size_t n_vocab, const int *texts) {
    Loss loss = {0};
    size_t count[BINS] = {0}, in_sight = 0;
    for (size_t b = 0; b < TEXTS; b++) {
        const int *row = texts + b * CONTEXT;
        for (size_t t = 0, begun = 0; t + 1 < CONTEXT; t++) {
            if (row[t] == row[0]) begun = t; /* a line feed: a story begins */
            double nats = -log_probability(logits + (b * CONTEXT + t) * n_vocab,
                                           n_vocab, row[t + 1]);
            loss.by_position[t / BIN] += nats;
            count[t / BIN]++;
            if (t < LATE || t - begun >= WINDOW - SINKS) continue;
            loss.in_sight += nats;
            in_sight++;
        }
    }
    for (size_t i = 0; i < BINS; i++) loss.by_position[i] /= (double)count[i];
    loss.in_sight /= (double)in_sight;
    return loss;
}

static Loss loss_with(const Gpt2 *model, const int *texts, Kind kind) {
    Tape tape = tape_for_inference();
    size_t n_layer = model->config.n_layer;
    HeldAttention *own = tape_alloc(&tape, n_layer, sizeof *own);
    Layer *layers = tape_alloc(&tape, n_layer, sizeof *layers);
    for (size_t l = 0; l < n_layer; l++) {
        own[l] = (HeldAttention){.attn = &model->blocks[l].attn,
                                 .held = &held[kind],
                                 .n_head = model->config.block.n_head};
        layers[l] = (Layer){held_forward, &own[l]};
    }
    Gpt2Input input = {
        .tokens = texts, .batch = TEXTS, .length = CONTEXT, .attention = layers};
    const float *logits = gpt2_logits(&tape, model, &input)->data;
    Loss loss = mean_loss(logits, model->config.n_vocab, texts);
    tape_free(&tape);
    return loss;
}

/* --- how much attention the first tokens get --- */

/* The mean attention of one head to the first SINKS tokens from those behind the
 * window, over texts and tokens; weights [TEXTS, n_head, CONTEXT, CONTEXT]. */
static double sink_mass(const Tensor *weights, size_t head) {
    size_t n_head = weights->shape[1];
    double mass = 0;
    for (size_t b = 0; b < TEXTS; b++) {
        const float *own = weights->data + (b * n_head + head) * CONTEXT * CONTEXT;
        for (size_t t = WINDOW; t < CONTEXT; t++) {
            for (size_t s = 0; s < SINKS; s++) mass += (double)own[t * CONTEXT + s];
        }
    }
    return mass / (TEXTS * (CONTEXT - WINDOW));
}

/* The same if each token looked at all before it equally. */
static double uniform_mass(void) {
    double sum = 0;
    for (size_t t = WINDOW; t < CONTEXT; t++) sum += SINKS / (double)(t + 1);
    return sum / (CONTEXT - WINDOW);
}

static void log_attention(Csv *csv, uint64_t seed, const Gpt2 *model,
                          const int *texts) {
    Tape tape = tape_for_inference();
    size_t n_layer = model->config.n_layer;
    Tensor **weights = tape_alloc(&tape, n_layer, sizeof *weights);
    Gpt2Input input = {.tokens = texts, .batch = TEXTS, .length = CONTEXT};
    gpt2_hidden_with_weights(&tape, model, &input, weights);
    for (size_t l = 0; l < n_layer; l++) {
        for (size_t h = 0; h < model->config.block.n_head; h++)
            csv_row(csv, "%llu,%zu,%zu,%.6g,%.6g", (unsigned long long)seed, l, h,
                    sink_mass(weights[l], h), uniform_mass());
    }
    tape_free(&tape);
}

/* --- the experiment --- */

typedef struct {
    Loss loss[KINDS];
} SinkMeasure;

/* Perplexity from position LATE on. */
static double late_perplexity(const SinkMeasure *m, Kind kind) {
    double sum = 0;
    for (size_t i = LATE / BIN; i < BINS; i++) sum += m->loss[kind].by_position[i];
    return exp_double(sum / (double)(BINS - LATE / BIN));
}

/* By which share the window raises the perplexity, and which share of the rise is gone
 * with four old tokens kept. */
static double window_cost(const SinkMeasure *m) {
    return late_perplexity(m, WINDOW_ONLY) / late_perplexity(m, FULL) - 1;
}

static double brought_back(const SinkMeasure *m, Kind kind) {
    double window = late_perplexity(m, WINDOW_ONLY);
    return (window - late_perplexity(m, kind)) / (window - late_perplexity(m, FULL));
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

/* --- tables --- */

typedef struct {
    Csv by_position, late, in_sight, attention, stories;
} Tables;

static Tables tables_begin(const char *out) {
    return (Tables){
        .by_position = csv_begin(
            out, "sinks", "seed,position,full,window,sinks,next_four,middle_four"),
        .late = csv_begin(out, "sinks-late",
                          "seed,full,window,sinks,next_four,middle_four,cost,"
                          "brought_back,next_back,middle_back"),
        .in_sight = csv_begin(out, "sinks-in-sight", "seed,full,window,sinks,cost"),
        .attention = csv_begin(out, "sink-attention", "seed,layer,head,mass,uniform"),
        .stories = csv_begin(out, "stories", "seed,mean,longest,fit_window"),
    };
}

static void tables_commit(Tables *t) {
    csv_commit(&t->by_position);
    csv_commit(&t->late);
    csv_commit(&t->in_sight);
    csv_commit(&t->attention);
    csv_commit(&t->stories);
}

static void log_measure(Tables *tables, uint64_t seed, const SinkMeasure *m) {
    unsigned long long number = seed;
    double by[KINDS];
    for (size_t i = 0; i < BINS; i++) {
        for (Kind k = 0; k < KINDS; k++) by[k] = exp_double(m->loss[k].by_position[i]);
        csv_row(&tables->by_position, "%llu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g", number,
                i * BIN + BIN / 2, by[FULL], by[WINDOW_ONLY], by[WITH_SINKS],
                by[NEXT_FOUR], by[MIDDLE_FOUR]);
    }
    for (Kind k = 0; k < KINDS; k++) by[k] = late_perplexity(m, k);
    csv_row(&tables->late, "%llu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", number,
            by[FULL], by[WINDOW_ONLY], by[WITH_SINKS], by[NEXT_FOUR], by[MIDDLE_FOUR],
            window_cost(m), brought_back(m, WITH_SINKS), brought_back(m, NEXT_FOUR),
            brought_back(m, MIDDLE_FOUR));
    csv_row(&tables->in_sight, "%llu,%.6g,%.6g,%.6g,%.6g", number, in_sight(m, FULL),
            in_sight(m, WINDOW_ONLY), in_sight(m, WITH_SINKS),
            in_sight(m, WINDOW_ONLY) / in_sight(m, FULL) - 1);
    printf("%4llu %10.3f %10.3f %10.3f %10.3f %10.3f\n", number, by[FULL],
           by[WINDOW_ONLY], by[WITH_SINKS], by[NEXT_FOUR], by[MIDDLE_FOUR]);
}

static SinkMeasure measure(Tables *tables, const TextModel *t, uint64_t seed) {
    const Gpt2Config *config = &t->model->config;
    if (config->n_ctx < CONTEXT)
        die("sinks: a context of %zu, expected at least %d", config->n_ctx, CONTEXT);
    SinkMeasure m = {0};
    int *texts = corpus_windows(t, TEXTS, CONTEXT);
    for (Kind kind = 0; kind < KINDS; kind++)
        m.loss[kind] = loss_with(t->model, texts, kind);
    log_measure(tables, seed, &m);
    log_attention(&tables->attention, seed, t->model, texts);
    log_stories(&tables->stories, seed, t->tokenizer);
    free(texts);
    return m;
}

void experiment_sinks(const Settings *settings) {
    const char *model = reading.model;
    Tables tables = tables_begin(settings->out);
    printf("perplexity from position %d on, with all tokens, the last %d, and the last "
           "%d with %d old ones\n",
           LATE, WINDOW, WINDOW - SINKS, SINKS);
    printf("%4s %10s %10s %10s %10s %10s\n", "seed", "all", "window", "0 to 3",
           "4 to 7", "20 to 23");
    size_t seeds = settings->quick || model ? 1 : SEEDS;
    SmallModel size = {.n_layer = 4,
                       .d_model = 32,
                       .n_ctx = CONTEXT,
                       .steps = settings->quick ? 100 : 1000};
    double least_cost = INFINITY, least_help = INFINITY;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        TextModel t = model ? text_model_load(model) : text_model_train(seed, &size);
        SinkMeasure m = measure(&tables, &t, seed);
        least_cost = smaller(least_cost, window_cost(&m));
        least_help = smaller(least_help, brought_back(&m, WITH_SINKS));
        text_model_free(&t);
    }
    tables_commit(&tables);
    if (model) return; /* what holds for our models need not for others */
    claim(least_cost > 0.03,
          "a window of %d tokens raises the perplexity by at least %.1f %%", WINDOW,
          100 * least_cost);
    claim(least_help > 0.25,
          "%d sinks in the place of as many tokens bring back at least %.2f of that",
          SINKS, least_help);
}
