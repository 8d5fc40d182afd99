/* The judge of open problem 12/honest_tail. */
#include "12-generation/problems/honest_tail.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "math/fmath.h"
#include "program/problem.h"
#include "math/random.h"

enum { N = 500, PLACES = 2000 };

/* A place of a text: at some only one token can follow, at others many of about the
 * same frequency. The model has the frequencies right but for a factor, and gives every
 * token of the vocabulary some of the rest. */
typedef struct {
    size_t n_possible; /* the first ones */
    double model[N];
} Place;

static Place place_draw(Random *random) {
    Place p = {.n_possible =
                   (size_t)exp_double(random_double(random) * log_double(100))};
    double possible = 0, rest = 0, share_of_rest = 0.05 + 0.3 * random_double(random);
    for (size_t i = 0; i < N; i++) {
        p.model[i] = exp_double((i < p.n_possible ? 0.7 : 1.0) * random_normal(random));
        *(i < p.n_possible ? &possible : &rest) += p.model[i];
    }
    for (size_t i = 0; i < N; i++)
        p.model[i] *=
            i < p.n_possible ? (1 - share_of_rest) / possible : share_of_rest / rest;
    return p;
}

static void judge(const Settings *settings) {
    double made_up[PROBLEM_SEEDS], dropped[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        made_up[k] = dropped[k] = 0;
        for (size_t i = 0; i < PLACES; i++) {
            Place p = place_draw(&random);
            unsigned char keep[N];
            double kept = 0, wrong = 0, right = 0, possible = 0;
            memset(keep, 0, sizeof keep);
            honest_tail(keep, p.model, N);
            for (size_t t = 0; t < N; t++) {
                if (keep[t] > 1) die("keep[%zu] is %d, expected 0 or 1", t, keep[t]);
                kept += keep[t] * p.model[t];
                *(t < p.n_possible ? &right : &wrong) += keep[t] * p.model[t];
                if (t < p.n_possible) possible += p.model[t];
            }
            if (kept <= 0) die("no token is kept");
            made_up[k] += wrong / kept / PLACES;
            dropped[k] += (1 - right / possible) / PLACES;
        }
        printf(
            "seed %zu: drawn though impossible %.2f %%, possible and dropped %.2f %%\n",
            k + 1, 100 * made_up[k], 100 * dropped[k]);
    }
    problem_at_most("share drawn though impossible", made_up, 0.01);
    problem_at_most("share possible and dropped", dropped, 0.03);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "12/honest_tail", judge);
}
