/* Models to write with, and measures of a text: see trained_models.h. */
#include "12-generation/trained_models.h"

#include <stdlib.h>
#include <string.h>

#include "text/corpus.h"
#include "base/error.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "kernels/reduce.h"

enum { MAX_MODELS = 6, UNSEEN = 1000003, MOST_N = 8 };

const TextModel *trained_for(uint64_t seed, size_t steps) {
    static struct {
        TextModel model;
        uint64_t seed;
        size_t steps;
    } kept[MAX_MODELS];
    static size_t n;
    for (size_t i = 0; i < n; i++) {
        if (kept[i].seed == seed && kept[i].steps == steps) return &kept[i].model;
    }
    if (n == MAX_MODELS) die("more than %d models", MAX_MODELS);
    SmallModel size = {.n_layer = 2, .d_model = 64, .n_ctx = 128, .steps = steps};
    kept[n].model = text_model_kept(seed, &size);
    kept[n].seed = seed;
    kept[n].steps = steps;
    return &kept[n++].model;
}

const TextModel *trained_model(uint64_t seed, bool quick) {
    return trained_for(seed, quick ? 60 : 600);
}

int *corpus_windows(const TextModel *m, size_t n_texts, size_t length) {
    enum { MOST_BYTES = 8 }; /* of a token, on average: enough text for all windows */
    CorpusText text = corpus_generate(UNSEEN, n_texts * 2 * length * MOST_BYTES);
    size_t n, n_newline, found = 0;
    int *tokens = tokenizer_encode(m->tokenizer, text.text, text.bytes, false, &n);
    int *newline = tokenizer_encode(m->tokenizer, "\n", 1, false, &n_newline);
    int *windows = checked_alloc(size_mul(n_texts, length), sizeof *windows);
    for (size_t i = 0; i + length <= n && found < n_texts; i++) {
        if (tokens[i] != newline[0]) continue;
        memcpy(windows + found++ * length, tokens + i, length * sizeof *windows);
        i += length;
    }
    if (found < n_texts)
        die("%zu windows of %zu tokens: the text holds %zu", n_texts, length, found);
    free(text.text);
    free(tokens);
    free(newline);
    return windows;
}

double log_probability(const float *logits, size_t n_vocab, int token) {
    double largest = (double)row_max(logits, n_vocab), sum = 0;
    for (size_t v = 0; v < n_vocab; v++) sum += exp_double((double)logits[v] - largest);
    return (double)logits[token] - largest - log_double(sum);
}

double *token_log_p(const Gpt2 *model, const int *tokens, size_t batch, size_t length) {
    size_t n_vocab = model->config.n_vocab;
    Tape tape = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = batch, .length = length};
    const float *logits = gpt2_logits(&tape, model, &input)->data;
    double *log_p = checked_alloc(batch * length, sizeof *log_p);
    for (size_t i = 0; i < batch * length; i++) {
        if (i % length == 0) continue;
        log_p[i] = log_probability(logits + (i - 1) * n_vocab, n_vocab, tokens[i]);
    }
    tape_free(&tape);
    return log_p;
}

typedef struct {
    int token[MOST_N];
} Ngram;

static int compare_ngrams(const void *a, const void *b) {
    return memcmp(a, b, sizeof(Ngram));
}

double distinct_ngrams(const int *tokens, size_t n_texts, size_t length, size_t first,
                       size_t n) {
    if (n > MOST_N || first + n > length)
        die("%zu-grams of %zu tokens", n, length - first);
    Ngram *all = checked_alloc(n_texts * length, sizeof *all);
    size_t count = 0, different = 0;
    for (size_t b = 0; b < n_texts; b++) {
        for (size_t i = first; i + n <= length; i++)
            memcpy(all[count++].token, tokens + b * length + i, n * sizeof *tokens);
    }
    qsort(all, count, sizeof *all, compare_ngrams);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || compare_ngrams(&all[i - 1], &all[i]) != 0;
    free(all);
    return (double)different / (double)count;
}
