/* One distribution after each filter, and how many tokens a nucleus holds along a
 * text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/generate.h"
#include "12-generation/trained_models.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum { TEXTS = 24, LENGTH = 128 };

static const char *const contexts[] = {
    "\nAnna puts a small",
    "\nAnna puts a small ball in the box. Then Ben is happy. Nearby two dogs run on "
    "the hill. Where is the "
    "ball? In the",
};

static const struct {
    const char *name;
    SamplingSettings sampling;
} filters[] = {
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

/* A token as it can stand in a cell: without the blank in front; a line feed by its
 * name. */
static void token_name(const TextModel *m, int token, char name[32]) {
    size_t bytes;
    const char *text = tokenizer_token(m->tokenizer, token, &bytes);
    if (bytes == 1 && text[0] == '\n') {
        text = "\\n";
        bytes = 2;
    }
    if (bytes > 1 && text[0] == ' ') {
        text++;
        bytes--;
    }
    snprintf(name, 32, "%.*s", (int)bytes, text);
}

/* All logits of a place, from the largest to the smallest: what other settings of the
 * filters would be applied to. */
static void log_logits(Csv *csv, const float *logits, size_t n_vocab, size_t place) {
    double *left = checked_alloc(n_vocab, sizeof *left);
    for (size_t v = 0; v < n_vocab; v++) left[v] = (double)logits[v];
    for (size_t r = 0; r < n_vocab; r++) {
        int largest = sampling_argmax(left, n_vocab);
        csv_row(csv, "%zu,%zu,%.9g", place, r + 1, left[largest]);
        left[largest] = -INFINITY;
    }
    free(left);
}

static void log_filters(Csv *csv, Csv *all, const TextModel *m, size_t place) {
    size_t n, n_vocab = m->model->config.n_vocab, kept[FILTERS] = {0};
    int *context = tokenizer_encode(m->tokenizer, contexts[place],
                                    strlen(contexts[place]), false, &n);
    PlainModel plain = plain_model_create(m->model);
    LanguageModel lm = plain_model(&plain);
    const float *logits = lm.next_logits(lm.self, context, n);
    SamplingMemory memory = sampling_memory(n_vocab);
    double *by_rank = checked_alloc(n_vocab, sizeof *by_rank);
    int order[RANKS];
    log_logits(all, logits, n_vocab, place);
    for (size_t f = 0; f < FILTERS; f++) {
        const double *p =
            sampling_probabilities(&memory, logits, context, n, &filters[f].sampling);
        for (size_t v = 0; v < n_vocab; v++) kept[f] += p[v] > 0;
        if (f == 0) memcpy(by_rank, p, n_vocab * sizeof *p);
        for (size_t r = 0; r < RANKS; r++) {
            char name[32];
            if (f == 0) {
                order[r] = sampling_argmax(by_rank, n_vocab);
                by_rank[order[r]] = -1;
            }
            token_name(m, order[r], name);
            csv_row(csv, "%zu,%zu,%s,%zu,\"%s\",%.6g,%zu", place, f, filters[f].name,
                    r + 1, name, p[order[r]], kept[f]);
        }
        printf("%-8s %-16s likeliest %.3f, %zu tokens left\n",
               place ? "little" : "much", filters[f].name, p[order[0]], kept[f]);
    }
    free(context);
    sampling_memory_free(&memory);
    free(by_rank);
    plain_model_free(&plain);
}

/* How many tokens the nucleus of 0.9 holds at each place of the corpus texts. */
static void log_nucleus(const Settings *settings, const TextModel *m) {
    size_t n_vocab = m->model->config.n_vocab, n = TEXTS * (LENGTH - 1), at = 0;
    int *texts = corpus_windows(m, TEXTS, LENGTH);
    SamplingMemory memory = sampling_memory(n_vocab);
    double *sizes = checked_alloc(n, sizeof *sizes);
    Tape tape = tape_for_inference();
    Gpt2Input input = {.tokens = texts, .batch = TEXTS, .length = LENGTH};
    const float *logits = gpt2_logits(&tape, m->model, &input)->data;
    for (size_t i = 0; i < TEXTS * LENGTH; i++) {
        if ((i + 1) % LENGTH == 0) continue;
        const double *p = sampling_probabilities(&memory, logits + i * n_vocab, NULL, 0,
                                                 &filters[FILTERS - 1].sampling);
        for (size_t v = 0; v < n_vocab; v++) sizes[at] += p[v] > 0;
        at++;
    }
    static const double shares[] = {0, 0.25, 0.5, 0.75, 0.9, 1};
    Csv csv = csv_begin(settings->out, "nucleus", "share_of_places,nucleus_size");
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        csv_row(&csv, "%g,%g", shares[i], quantile(sizes, n, shares[i]));
    csv_commit(&csv);
    claim(quantile(sizes, n, 0) == 1 && quantile(sizes, n, 1) >= 10,
          "the nucleus of 0.9 holds %g to %g tokens along a text, %g in the median",
          quantile(sizes, n, 0), quantile(sizes, n, 1), quantile(sizes, n, 0.5));
    tape_free(&tape);
    free(texts);
    sampling_memory_free(&memory);
    free(sizes);
}

void experiment_filters(const Settings *settings) {
    const TextModel *m = trained_model(settings->seed, settings->quick);
    Csv csv = csv_begin(settings->out, "filters",
                        "context,step,filter,rank,token,probability,kept"),
        all = csv_begin(settings->out, "logits", "context,rank,logit");
    for (size_t i = 0; i < CONTEXTS; i++) log_filters(&csv, &all, m, i);
    csv_commit(&csv);
    csv_commit(&all);
    log_nucleus(settings, m);
}
