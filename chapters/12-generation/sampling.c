/* From logits to the next token: see sampling.h. */
#include "12-generation/sampling.h"

#include <stdlib.h>

#include "12-generation/repetition_penalty.h"
#include "12-generation/top_k.h"
#include "12-generation/top_p.h"
#include "base/error.h"
#include "math/fmath.h"
#include "base/memory.h"

SamplingSettings sampling_settings(void) {
    return (SamplingSettings){.temperature = 1, .top_p = 1, .repetition_penalty = 1};
}

void sampling_check(const SamplingSettings *s) {
    if (!(s->temperature > 0 && s->temperature < INFINITY)) {
        die("temperature %g: expected more than 0 (for the likeliest token, ask for "
            "greedy)",
            s->temperature);
    }
    if (!(s->top_p > 0 && s->top_p <= 1))
        die("top-p %g: expected more than 0 and at most 1", s->top_p);
    if (!(s->repetition_penalty > 0 && s->repetition_penalty < INFINITY)) {
        die("repetition penalty %g: expected more than 0", s->repetition_penalty);
    }
}

SamplingMemory sampling_memory(size_t n_vocab) {
    SamplingMemory m = {.n_vocab = n_vocab};
    m.probabilities = checked_alloc(n_vocab, sizeof *m.probabilities);
    m.for_top_k = checked_alloc(n_vocab, sizeof *m.for_top_k);
    m.for_top_p = checked_alloc(n_vocab, sizeof *m.for_top_p);
    return m;
}

void sampling_memory_free(SamplingMemory *memory) {
    free(memory->probabilities);
    free(memory->for_top_k);
    free(memory->for_top_p);
    *memory = (SamplingMemory){0};
}

int sampling_argmax(const double *values, size_t n) {
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        if (values[i] > values[best] || isnan(values[best])) best = i;
    }
    return (int)best;
}

/* Scores to probabilities, in place. The largest score is subtracted first, so that exp
 * cannot overflow. */
static void softmax_in_place(double *x, size_t n) {
    double sum = 0;
    exp_doubles(x, n, x[sampling_argmax(x, n)]);
    for (size_t i = 0; i < n; i++) sum += x[i];
    if (!(sum > 0)) die("sampling: all tokens are excluded");
    for (size_t i = 0; i < n; i++) x[i] /= sum;
}

/* Logits to scores in double, with the penalty and without the excluded token:
 * all that greedy decoding needs. */
static void penalized_scores(double *scores, const float *logits, size_t n_vocab,
                             const int *context, size_t n_context,
                             const SamplingSettings *settings) {
    for (size_t i = 0; i < n_vocab; i++) {
        if (!(logits[i] < INFINITY))
            die("sampling: the logit of token %zu is %g, expected a number", i,
                (double)logits[i]);
        scores[i] = (double)logits[i];
    }
    if (settings->repetition_penalty != 1)
        repetition_penalty(scores, context, n_context, settings->repetition_penalty);
    for (size_t i = 0; i < settings->n_excluded; i++)
        scores[settings->excluded[i]] = -INFINITY;
}

const double *sampling_probabilities(SamplingMemory *memory, const float *logits,
                                     const int *context, size_t n_context,
                                     const SamplingSettings *settings) {
    size_t n = memory->n_vocab;
    double *scores = memory->probabilities; /* they become probabilities in place */
    penalized_scores(scores, logits, n, context, n_context, settings);
    for (size_t i = 0; i < n; i++) scores[i] /= settings->temperature;
    if (settings->top_k > 0) top_k(scores, memory->for_top_k, n, settings->top_k);
    softmax_in_place(scores, n);
    if (settings->top_p < 1) top_p(scores, memory->for_top_p, n, settings->top_p);
    return scores;
}

int sampling_draw(const double *probabilities, size_t n_vocab, double u) {
    double cumulative = 0;
    int last_possible = -1; /* rounding may leave the whole sum at or below u */
    //> draw
    for (size_t i = 0; i < n_vocab; i++) {
        if (!(probabilities[i] > 0)) continue;
        cumulative += probabilities[i];
        last_possible = (int)i;
        if (cumulative > u) break;
    }
    //< draw
    if (last_possible < 0) die("sampling: no token has a probability above 0");
    return last_possible;
}

int sampling_next(SamplingMemory *memory, const float *logits, const int *context,
                  size_t n_context, const SamplingSettings *settings, double u) {
    size_t n = memory->n_vocab;
    if (settings->greedy) {
        penalized_scores(memory->probabilities, logits, n, context, n_context,
                         settings);
        return sampling_argmax(memory->probabilities, n);
    }
    return sampling_draw(
        sampling_probabilities(memory, logits, context, n_context, settings), n, u);
}
