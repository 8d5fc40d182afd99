/* Texts by a strategy and their measures: see text_measure.h. */
#include "12-generation/experiments/text_measure.h"

#include <stdlib.h>
#include <string.h>

#include "12-generation/writing.h"
#include "base/memory.h"
#include "math/fmath.h"

enum { TEXTS = 24, LENGTH = 128, PROMPT = 9, NGRAM = 4 };

/* Writes columns PROMPT .. LENGTH - 1 of all texts, a column at a time. */
static void write_columns(const Gpt2 *model, int *texts, const GenerateSettings *g,
                          uint64_t seed) {
    size_t n_vocab = model->config.n_vocab, at[TEXTS];
    Random random[TEXTS];
    int *read = checked_alloc(TEXTS * LENGTH, sizeof *read);
    SamplingMemory memory = sampling_memory(n_vocab);
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
                generate_next(&memory, logits + b * n_vocab, texts + b * LENGTH, n,
                              n - PROMPT, g, &random[b]);
        }
    }
    tape_free(&tape);
    free(read);
    sampling_memory_free(&memory);
}

/* Sums over the stories: what stands between two line feeds, behind the prompt. */
typedef struct {
    double different, all; /* 4-grams of one story */
    /* of texts that begin two stories or more */
    double openings, all_alike, many_texts;
} StorySums;

static void add_stories(StorySums *sums, const int *row, int newline) {
    int openings[LENGTH];
    size_t begun = 0;
    for (size_t from = PROMPT, to; from < LENGTH; from = to + 1) {
        for (to = from; to < LENGTH && row[to] != newline;) to++;
        if (to - from < NGRAM) continue;
        double n = (double)(to - from - NGRAM + 1);
        sums->different += n * distinct_ngrams(row + from, 1, to - from, 0, NGRAM);
        sums->all += n;
        if (from == PROMPT) continue; /* the prompt began this one */
        memcpy(openings + NGRAM * begun++, row + from, NGRAM * sizeof *row);
    }
    if (begun < 2) return;
    sums->openings += distinct_ngrams(openings, begun, NGRAM, 0, NGRAM);
    sums->all_alike += 1.0 / (double)begun;
    sums->many_texts++;
}

static TextMeasure measure_texts(const TextModel *m, const int *texts) {
    double *log_p = token_log_p(m->model, texts, TEXTS, LENGTH), nats = 0, in_texts = 0;
    int newline = text_model_token(m, "\\n");
    StorySums sums = {0};
    for (size_t b = 0; b < TEXTS; b++) {
        const int *row = texts + b * LENGTH;
        for (size_t i = PROMPT; i < LENGTH; i++) nats -= log_p[b * LENGTH + i];
        in_texts += distinct_ngrams(row, 1, LENGTH, PROMPT, NGRAM);
        add_stories(&sums, row, newline);
    }
    free(log_p);
    return (TextMeasure){
        .perplexity = exp_double(nats / (TEXTS * (LENGTH - PROMPT))),
        .distinct = distinct_ngrams(texts, TEXTS, LENGTH, PROMPT, NGRAM),
        .in_texts = in_texts / TEXTS,
        .in_stories = sums.different / sums.all,
        .openings = sums.openings / sums.many_texts,
        .all_alike = sums.all_alike / sums.many_texts,
    };
}

TextMeasure measure_strategy(const TextModel *m, const SamplingSettings *sampling,
                             uint64_t seed) {
    int *texts = corpus_windows(m, TEXTS, LENGTH);
    if (sampling) {
        GenerateSettings g = {.sampling = *sampling, .stop_token = NO_STOP_TOKEN};
        write_columns(m->model, texts, &g, seed);
    }
    TextMeasure measure = measure_texts(m, texts);
    free(texts);
    return measure;
}
