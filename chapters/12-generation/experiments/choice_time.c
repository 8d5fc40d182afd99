/* The time to choose a token: the five steps on as many logits as GPT-2 has tokens. */
#include <stdio.h>
#include <stdlib.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/sampling.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"
#include "math/random.h"

enum { N_VOCAB = 50257, ROUNDS = 21 };

static const struct {
    const char *name;
    SamplingSettings sampling;
} ways[] = {
    {"greedy", {.greedy = true, .temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"sampling", {.temperature = 1, .top_p = 1, .repetition_penalty = 1}},
    {"top-k 40", {.temperature = 1, .top_k = 40, .top_p = 1, .repetition_penalty = 1}},
    {"top-p 0.95", {.temperature = 1, .top_p = 0.95, .repetition_penalty = 1}},
};
enum { GREEDY, SAMPLING, TOP_K, TOP_P, WAYS };

void experiment_choice_time(const Settings *settings) {
    float *logits = checked_alloc(N_VOCAB, sizeof *logits);
    SamplingMemory memory = sampling_memory(N_VOCAB);
    double seconds[WAYS][ROUNDS], ms[WAYS];
    Random random = random_create(settings->seed);
    random_fill_normal(&random, logits, N_VOCAB, 3.0f);
    /* in turn: the machine may be slower a second from now */
    for (size_t r = 0; r < ROUNDS; r++) {
        for (size_t w = 0; w < WAYS; w++) {
            double started = clock_seconds();
            sampling_next(&memory, logits, NULL, 0, &ways[w].sampling, 0.5);
            seconds[w][r] = clock_seconds() - started;
        }
    }
    Csv csv = csv_begin(settings->out, "choice-time", "order,way,ms,ratio");
    printf("one token of %d, milliseconds:\n", N_VOCAB);
    for (size_t w = 0; w < WAYS; w++) ms[w] = 1e3 * quantile(seconds[w], ROUNDS, 0.5);
    for (size_t w = 0; w < WAYS; w++) {
        csv_row(&csv, "%zu,%s,%.4g,%.4g", w, ways[w].name, ms[w], ms[w] / ms[SAMPLING]);
        printf("%-12s %8.3f %8.2f times sampling\n", ways[w].name, ms[w],
               ms[w] / ms[SAMPLING]);
    }
    csv_commit(&csv);
    claim(ms[GREEDY] < ms[SAMPLING],
          "the largest logit is found in less time than all become probabilities");
    for (size_t w = TOP_K; w <= TOP_P; w++)
        claim(ms[w] < 5 * ms[SAMPLING], "%s takes less than five times sampling: %.1f",
              ways[w].name, ms[w] / ms[SAMPLING]);
    free(logits);
    sampling_memory_free(&memory);
}
