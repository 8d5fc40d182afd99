/* Does repetition feed itself? How likely a sentence is after it was said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/trained.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "base/memory.h"

enum { SEEDS = 3 };

static const char *const phrases[] = {
    " Then Ben is happy.",           " Now Anna is sad and tired.",
    " Then Mia sings a funny song.", " The small cat is hungry.",
    " Then Tom drinks tea.",         " Nearby two dogs run on the hill.",
    " Then Lily goes to the lake.",  " Now Sam is busy and calm.",
};
enum { PHRASES = sizeof phrases / sizeof *phrases, REPEATS = 8 };

/* The geometric mean over the tokens of one phrase of their probability, for each
 * repetition. */
static void feedback_of(double *per_token, const TextModel *m, const char *phrase) {
    static const char opening[] = "\nAnna puts a small ball in the box.";
    size_t n_opening, n;
    int *first =
        tokenizer_encode(m->tokenizer, opening, strlen(opening), false, &n_opening);
    int *tokens = tokenizer_encode(m->tokenizer, phrase, strlen(phrase), false, &n);
    size_t length = n_opening + REPEATS * n;
    int *all = checked_alloc(length, sizeof *all);
    memcpy(all, first, n_opening * sizeof *all);
    for (size_t k = 0; k < REPEATS; k++)
        memcpy(all + n_opening + k * n, tokens, n * sizeof *all);
    double *log_p = token_log_p(m->model, all, 1, length);
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
    Csv csv = csv_begin(settings->out, "12-feedback",
                        "seed,said_before,probability,share_of_first");
    double closest =
        0; /* the probability behind two repetitions, as a share of the first */
    size_t seeds = settings->quick ? 1 : SEEDS;
    for (uint64_t seed = settings->seed; seed < settings->seed + seeds; seed++) {
        const TextModel *m = trained_model(seed, settings->quick);
        double sum[REPEATS] = {0}, one[REPEATS];
        for (size_t i = 0; i < PHRASES; i++) {
            feedback_of(one, m, phrases[i]);
            for (size_t k = 0; k < REPEATS; k++) sum[k] += one[k] / PHRASES;
        }
        printf("seed %llu:", (unsigned long long)seed);
        for (size_t k = 0; k < REPEATS; k++) {
            csv_row(&csv, "%llu,%zu,%.6g,%.6g", (unsigned long long)seed, k,
                    exp_double(sum[k]), exp_double(sum[k] - sum[0]));
            printf(" %.3f", exp_double(sum[k]));
            if (k >= 2) closest = larger(closest, exp_double(sum[k] - sum[0]));
        }
        printf("\n");
    }
    csv_commit(&csv);
    claim(closest < 0.6,
          "said twice already, a sentence has at most %.2f of its first probability a "
          "token",
          closest);
}
