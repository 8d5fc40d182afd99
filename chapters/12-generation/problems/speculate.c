/* The judge of open problem 12/speculate. */
#include "12-generation/problems/speculate.h"

#include <math.h>
#include <stdio.h>

#include "12-generation/sampling.h"
#include "base/error.h"
#include "math/fmath.h"
#include "math/fit.h"
#include "program/problem.h"
#include "math/random.h"

enum { N = 40, PAIRS = 5, DRAWS = 40000 };

/* Two distributions over N tokens that agree in part, as those of a small model and a
 * large one. */
typedef struct {
    double target[N], draft[N];
} Pair;

static void normalize(double *p) {
    double sum = 0;
    for (size_t i = 0; i < N; i++) sum += p[i];
    for (size_t i = 0; i < N; i++) p[i] /= sum;
}

static Pair pair_draw(Random *random) {
    Pair p;
    for (size_t i = 0; i < N; i++) {
        double both = 2 * random_normal(random);
        p.target[i] = exp_double(both + 0.5 * random_normal(random));
        p.draft[i] = exp_double(both + 0.5 * random_normal(random));
    }
    normalize(p.target);
    normalize(p.draft);
    return p;
}

/* Half of the sum of |a - b|. */
static double distance(const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < N; i++) sum += fabs(a[i] - b[i]) / 2;
    return sum;
}

typedef struct {
    double distance; /* from the target, of what came back */
    /* proposals that came back as another token, beyond those that have to */
    double lost;
} Outcome;

static Outcome outcome_of(const Pair *p, Random *random) {
    double counts[N] = {0}, kept = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        int proposed = sampling_draw(p->draft, N, random_double(random));
        double u = random_double(random), v = random_double(random);
        int token = speculate(p->target, p->draft, N, proposed, u, v);
        if (token < 0 || token >= N) die("token %d of %d came back", token, N);
        counts[token] += 1.0 / DRAWS;
        kept += (token == proposed) / (double)DRAWS;
    }
    return (Outcome){distance(counts, p->target),
                     1 - distance(p->target, p->draft) - kept};
}

static void judge(const Settings *settings) {
    double far[PROBLEM_SEEDS], lost[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        far[k] = lost[k] = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            Pair p = pair_draw(&random);
            Outcome o = outcome_of(&p, &random);
            far[k] = larger(far[k], o.distance);
            lost[k] = larger(lost[k], o.lost);
        }
        printf("seed %zu: distance from the target %.4f, proposals lost without need "
               "%.4f\n",
               k + 1, far[k], lost[k]);
    }
    problem_at_most("distance from the target", far, 0.02);
    problem_at_most("proposals lost without need", lost, 0.01);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "12/speculate", judge);
}
