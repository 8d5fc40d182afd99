/* Does repetition feed itself? How likely a sentence is after it was said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/experiments/experiments.h"
#include "12-generation/trained_models.h"
#include "files/csv.h"
#include "math/fmath.h"
#include "base/memory.h"

enum { SEEDS = 3 };
static const size_t trainings[] = {150, 600}; /* steps; the demo's model has 150 */
enum { TRAININGS = sizeof trainings / sizeof *trainings };

static const char *const phrases[] = {
    " Then Ben is happy.",           " Now Anna is sad and tired.",
    " Then Mia sings a funny song.", " The small cat is hungry.",
    " Then Tom drinks tea.",         " Nearby two dogs run on the hill.",
    " Then Lily goes to the lake.",  " Now Sam is busy and calm.",
};
enum { PHRASES = sizeof phrases / sizeof *phrases, REPEATS = 8 };
static const char opening[] = "\nAnna puts a small ball in the box.";
/* The phrase that the demo's greedy text repeats, and the words before it. */
static const char demo_opening[] = "\nAnna sees two small sad.",
                  demo_phrase[] = " Then Anna is happy and sad.";

/* Sums of ln p over the tokens of a phrase. */
typedef struct {
    double first, rest;
    size_t n_rest;
} Said;

/* Adds the phrase's tokens to by [REPEATS], one entry for each repetition. The first
 * token decides whether another sentence comes and of which kind, the others which. */
static void add_phrase(Said *by, const TextModel *m, const char *before,
                       const char *phrase) {
    size_t n_opening, n;
    int *first =
        tokenizer_encode(m->tokenizer, before, strlen(before), false, &n_opening);
    int *tokens = tokenizer_encode(m->tokenizer, phrase, strlen(phrase), false, &n);
    size_t length = n_opening + REPEATS * n;
    int *all = checked_alloc(length, sizeof *all);
    memcpy(all, first, n_opening * sizeof *all);
    for (size_t k = 0; k < REPEATS; k++)
        memcpy(all + n_opening + k * n, tokens, n * sizeof *all);
    double *log_p = token_log_p(m->model, all, 1, length);
    for (size_t k = 0; k < REPEATS; k++) {
        const double *own = log_p + n_opening + k * n;
        by[k].first += own[0];
        for (size_t i = 1; i < n; i++) by[k].rest += own[i];
        by[k].n_rest += n - 1;
    }
    free(first);
    free(tokens);
    free(all);
    free(log_p);
}

/* The tokens behind the first after k repetitions, in what they had before any: a
 * geometric mean. */
static double rest_ratio(const Said *by, size_t k) {
    return exp_double(by[k].rest / (double)by[k].n_rest -
                      by[0].rest / (double)by[0].n_rest);
}

/* Geometric means over the phrases, by repetition. */
static void log_feedback(Csv *csv, size_t steps, uint64_t seed) {
    const TextModel *m = trained_for(seed, steps);
    Said by[REPEATS] = {0}, demo[REPEATS] = {0};
    for (size_t i = 0; i < PHRASES; i++) add_phrase(by, m, opening, phrases[i]);
    add_phrase(demo, m, demo_opening, demo_phrase);
    printf("%zu steps, seed %llu:", steps, (unsigned long long)seed);
    for (size_t k = 0; k < REPEATS; k++) {
        double first = exp_double(by[k].first / PHRASES),
               rest = exp_double(by[k].rest / (double)by[k].n_rest);
        csv_row(csv, "%zu,%llu,%zu,%.6g,%.6g,%.6g,%.6g", steps,
                (unsigned long long)seed, k, first, rest, rest_ratio(by, k),
                rest_ratio(demo, k));
        printf(" %.2g|%.3f", first, rest);
    }
    printf("\n");
}

void experiment_feedback(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "feedback",
                        "steps,seed,said_before,first,rest,rest_ratio,demo_ratio");
    size_t seeds = settings->quick ? 1 : SEEDS;
    printf("probability of a phrase's first token | of the others, said before 0, 1, "
           "2 ... times\n");
    for (size_t i = 0; i < TRAININGS * seeds; i++)
        log_feedback(&csv, trainings[i / seeds] / (settings->quick ? 10 : 1),
                     settings->seed + i % seeds);
    csv_commit(&csv);
}
