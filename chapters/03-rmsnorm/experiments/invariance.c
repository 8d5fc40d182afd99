/* Changes of weights and inputs that leave the output of a norm the same (Ba et al.
 * 2016, table 1; Zhang & Sennrich 2019, table 1). The layer and the changes are chapter
 * 01's. */
#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/invariance.h"
#include "03-rmsnorm/experiments/experiments.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

/* Divides each case's outputs by the root mean square of the first `part` of them. */
static void divide_by_rms(double *out, const NormProblem *p, size_t part) {
    for (size_t n = 0; n < p->cases; n++, out += p->units) {
        double square = 0;
        for (size_t u = 0; u < part; u++) square += out[u] * out[u] / (double)part;
        for (size_t u = 0; u < p->units; u++) out[u] /= sqrt(square);
    }
}

static void rms(double *out, const NormProblem *p) {
    divide_by_rms(out, p, p->units);
}

static void partial(double *out, const NormProblem *p) {
    divide_by_rms(out, p, p->units / 4);
}

/* The numbers of the changes are no powers of two: those would not even round. Every
 * unit's weights are shifted alike, but each input's by another number. */
static NormProblem draw(uint64_t seed) {
    NormProblem p = {.cases = 8, .inputs = 24, .units = 32, .factor = 1.7, .unit = 3};
    Random random = random_create(seed);
    norm_problem_draw(&p, 0.3, &random);
    for (size_t i = 0; i < p.inputs; i++) {
        p.weight_shift[i] = 0.7 + 0.1 * (double)i;
        p.data_shift[i] = 0.7;
    }
    return p;
}

/* --- the table --- */

enum { NORMS = 3 };
/* LayerNorm, RMSNorm, pRMSNorm 25 % */
static Normalize *const norms[NORMS] = {normalize_cases, rms, partial};

/* `unchanged` is the papers' tables' answer for the three norms. */
static const struct {
    const char *name, *words;
    bool unchanged[NORMS];
} changes[INVARIANCE_CHANGES] = {
    [SCALE_MATRIX] = {"scale_weights", "all weights times 1.7", {true, true, true}},
    [SHIFT_MATRIX] = {"shift_weights",
                      "the same shift for all units",
                      {true, false, false}},
    [SCALE_VECTOR] = {"scale_unit",
                      "one unit's weights times 1.7",
                      {false, false, false}},
    [SCALE_DATA] = {"scale_inputs", "all inputs times 1.7", {true, true, true}},
    [SHIFT_DATA] = {"shift_inputs", "all inputs plus 0.7", {false, false, false}},
    [SCALE_CASE] = {"scale_case", "one case times 1.7", {true, true, true}},
};

void experiment_invariance(const Settings *settings) {
    /* rounding is below the first, a change above the second */
    const double same = 1e-10, other = 1e-2;
    double largest_same = 0, smallest_other = INFINITY;
    size_t agree = 0;
    NormProblem p = draw(settings->seed);
    Csv csv = csv_begin(settings->out, "invariance", "change,layer,rms,prms");
    printf("Does the output stay the same? Largest change of an output, as a share of "
           "the largest output:\n\n"
           "%-29s %14s %14s %14s\n",
           "", "LayerNorm", "RMSNorm", "pRMSNorm 25 %");
    for (size_t c = 0; c < INVARIANCE_CHANGES; c++) {
        double by[NORMS];
        printf("%-29s", changes[c].words);
        for (size_t n = 0; n < NORMS; n++) {
            by[n] = invariance_effect(&p, (InvarianceChange)c, norms[n]);
            bool unchanged = by[n] < same;
            printf("  %-3s %8.1e", unchanged ? "yes" : "no", by[n]);
            agree +=
                unchanged == changes[c].unchanged[n] && (unchanged || by[n] > other);
            if (unchanged)
                largest_same = larger(largest_same, by[n]);
            else
                smallest_other = smaller(smallest_other, by[n]);
        }
        putchar('\n');
        csv_row(&csv, "%s,%.3g,%.3g,%.3g", changes[c].name, by[0], by[1], by[2]);
    }
    csv_commit(&csv);
    putchar('\n');
    claim(agree == NORMS * INVARIANCE_CHANGES,
          "%zu of %d cells as in the papers' tables; \"yes\" means below %.0e, \"no\" "
          "above %.2f",
          agree, NORMS * INVARIANCE_CHANGES, largest_same, smallest_other);
}
