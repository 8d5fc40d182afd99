/* The table of invariances, computed: see invariance.h. */
#include "03-rmsnorm/invariance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv.h"
#include "error.h"
#include "random.h"

enum { CASES = 8, INPUTS = 24, UNITS = 32 };
static const double FACTOR = 1.7, SHIFT = 0.7; /* no powers of two: those would not even round */

/* A layer before its norm: the summed inputs are x [CASES, INPUTS] times weight [INPUTS, UNITS]. */
typedef struct {
    double x[CASES][INPUTS], weight[INPUTS][UNITS];
} Linears;

static Linears draw(uint64_t seed) {
    Linears l;
    Random random = random_create(seed);
    for (size_t r = 0; r < CASES; r++) {
        for (size_t i = 0; i < INPUTS; i++) l.x[r][i] = random_normal(&random);
    }
    for (size_t i = 0; i < INPUTS; i++) {
        for (size_t u = 0; u < UNITS; u++) l.weight[i][u] = 0.3 * random_normal(&random);
    }
    return l;
}

/* --- what is done to it --- */

static void scale_weights(Linears *l) {
    for (size_t i = 0; i < INPUTS * UNITS; i++) l->weight[i / UNITS][i % UNITS] *= FACTOR;
}

/* Every unit's weights are shifted alike, but each input's by another number. */
static void shift_weights(Linears *l) {
    for (size_t i = 0; i < INPUTS * UNITS; i++)
        l->weight[i / UNITS][i % UNITS] += SHIFT + 0.1 * (double)(i / UNITS);
}

static void scale_one_unit(Linears *l) {
    for (size_t i = 0; i < INPUTS; i++) l->weight[i][3] *= FACTOR;
}

static void scale_inputs(Linears *l) {
    for (size_t i = 0; i < CASES * INPUTS; i++) l->x[i / INPUTS][i % INPUTS] *= FACTOR;
}

static void shift_inputs(Linears *l) {
    for (size_t i = 0; i < CASES * INPUTS; i++) l->x[i / INPUTS][i % INPUTS] += SHIFT;
}

static void scale_one_case(Linears *l) {
    for (size_t i = 0; i < INPUTS; i++) l->x[0][i] *= FACTOR;
}

/* --- the norms, in double --- */

/* out [CASES, UNITS] in place, without gain and eps. */
typedef void Normalize(double sums[CASES][UNITS]);

/* One row: subtract its mean or not, measure its first `part` elements. */
static void normalize_row(double *row, bool center, size_t part) {
    double mean = 0, square = 0;
    for (size_t u = 0; u < UNITS; u++) mean += center ? row[u] / UNITS : 0;
    for (size_t u = 0; u < part; u++) square += (row[u] - mean) * (row[u] - mean) / (double)part;
    for (size_t u = 0; u < UNITS; u++) row[u] = (row[u] - mean) / sqrt(square);
}

static void layer(double sums[CASES][UNITS]) {
    for (size_t r = 0; r < CASES; r++) normalize_row(sums[r], true, UNITS);
}

static void rms(double sums[CASES][UNITS]) {
    for (size_t r = 0; r < CASES; r++) normalize_row(sums[r], false, UNITS);
}

static void partial(double sums[CASES][UNITS]) {
    for (size_t r = 0; r < CASES; r++) normalize_row(sums[r], false, UNITS / 4);
}

static void multiply_and_normalize(double out[CASES][UNITS], const Linears *l, Normalize *normalize) {
    memset(out, 0, sizeof(double[CASES][UNITS]));
    for (size_t r = 0; r < CASES; r++) {
        for (size_t i = 0; i < INPUTS; i++) {
            for (size_t u = 0; u < UNITS; u++) out[r][u] += l->x[r][i] * l->weight[i][u];
        }
    }
    normalize(out);
}

/* The largest change of any output, as a share of the largest output. */
static double largest_change(void (*change)(Linears *), Normalize *normalize, uint64_t seed) {
    double before[CASES][UNITS], after[CASES][UNITS], worst = 0, largest = 0;
    Linears l = draw(seed);
    multiply_and_normalize(before, &l, normalize);
    change(&l);
    multiply_and_normalize(after, &l, normalize);
    for (size_t i = 0; i < CASES * UNITS; i++) {
        double b = before[i / UNITS][i % UNITS];
        worst = fmax(worst, fabs(after[i / UNITS][i % UNITS] - b));
        largest = fmax(largest, fabs(b));
    }
    return worst / largest;
}

/* --- the table --- */

enum { NORMS = 3, CHANGES = 6 };
static const struct {
    const char *name;
    Normalize *normalize;
} norms[NORMS] = {{"layer", layer}, {"rms", rms}, {"prms", partial}};

/* `unchanged` is what the papers' tables say of the three norms. */
static const struct {
    const char *name, *words;
    void (*apply)(Linears *);
    bool unchanged[NORMS];
} changes[CHANGES] = {
    {"scale_weights", "all weights times 1.7", scale_weights, {true, true, true}},
    {"shift_weights", "the same shift for all units", shift_weights, {true, false, false}},
    {"scale_unit", "one unit's weights times 1.7", scale_one_unit, {false, false, false}},
    {"scale_inputs", "all inputs times 1.7", scale_inputs, {true, true, true}},
    {"shift_inputs", "all inputs plus 0.7", shift_inputs, {false, false, false}},
    {"scale_case", "one case times 1.7", scale_one_case, {true, true, true}},
};

void experiment_invariance(const Settings *settings) {
    const double same = 1e-10, other = 1e-2; /* rounding is below the first, a change above the second */
    double largest_same = 0, smallest_other = INFINITY;
    size_t agree = 0;
    Csv csv = csv_begin(settings->out, "03-invariance", "change,layer,rms,prms");
    printf("Does the output stay the same? Largest change of an output, as a share of the largest output:\n\n"
           "%-29s %14s %14s %14s\n",
           "", "LayerNorm", "RMSNorm", "pRMSNorm 25 %");
    for (size_t c = 0; c < CHANGES; c++) {
        double by[NORMS];
        printf("%-29s", changes[c].words);
        for (size_t n = 0; n < NORMS; n++) {
            by[n] = largest_change(changes[c].apply, norms[n].normalize, settings->seed);
            bool unchanged = by[n] < same;
            printf("  %-3s %8.1e", unchanged ? "yes" : "no", by[n]);
            agree += unchanged == changes[c].unchanged[n] && (unchanged || by[n] > other);
            if (unchanged)
                largest_same = fmax(largest_same, by[n]);
            else
                smallest_other = fmin(smallest_other, by[n]);
        }
        putchar('\n');
        csv_row(&csv, "%s,%.3g,%.3g,%.3g", changes[c].name, by[0], by[1], by[2]);
    }
    csv_commit(&csv);
    putchar('\n');
    claim(agree == NORMS * CHANGES,
          "%zu of %d cells as in the papers' tables; \"yes\" means below %.0e, \"no\" above %.2f", agree,
          NORMS * CHANGES, largest_same, smallest_other);
}
