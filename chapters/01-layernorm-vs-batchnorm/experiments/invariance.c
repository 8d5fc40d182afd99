/* The table of invariances of Ba, Kiros & Hinton 2016 (their table 1), computed: the
 * summed inputs of a layer are normalized; then the weights or the data are changed,
 * and the outputs are compared. */
#include "01-layernorm-vs-batchnorm/invariance.h"

#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { SEEDS = 5, NORMS = 3, WEIGHT_NORM = 1 };
static const struct {
    const char *name;
    Normalize *normalize;
} norms[NORMS] = {{"batch", normalize_batch},
                  {"weight", normalize_weights},
                  {"layer", normalize_cases}};

/* The changes, and whether algebra says that the output stays: batch, weight, layer
 * norm. */
static const struct {
    const char *name;
    bool invariant[NORMS];
} changes[INVARIANCE_CHANGES] = {
    [SCALE_MATRIX] = {"weight matrix re-scaled", {true, true, true}},
    [SHIFT_MATRIX] = {"weight matrix re-centred", {false, false, true}},
    [SCALE_VECTOR] = {"one weight vector re-scaled", {true, true, false}},
    [SCALE_DATA] = {"data set re-scaled", {true, false, true}},
    [SHIFT_DATA] = {"data set re-centred", {true, false, false}},
    [SCALE_CASE] = {"one case re-scaled", {false, false, true}},
};

/* Re-scaling by 2.5; re-centring by a vector of normal numbers. */
static double effect(uint64_t seed, InvarianceChange change, Normalize *normalize) {
    NormProblem p = {.cases = 7, .inputs = 6, .units = 5, .factor = 2.5};
    Random random = random_stream(seed, STREAM_SAMPLE);
    norm_problem_draw(&p, 1, &random);
    for (size_t i = 0; i < p.inputs; i++)
        p.weight_shift[i] = p.data_shift[i] = random_normal(&random);
    return invariance_effect(&p, change, normalize);
}

void experiment_invariance(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "invariance",
                        "change,norm,invariant,smallest,largest");
    double largest_kept = 0, smallest_moved = INFINITY;
    printf("how far the output moves, as a share of its largest number (the least of "
           "%d seeds)\n",
           SEEDS);
    printf("%-28s  BatchNorm  WeightNorm  LayerNorm\n", "");
    for (size_t c = 0; c < INVARIANCE_CHANGES; c++) {
        printf("%-28s", changes[c].name);
        for (size_t norm = 0; norm < NORMS; norm++) {
            double smallest = INFINITY, largest = 0;
            for (uint64_t s = 0; s < SEEDS; s++) {
                double moved = effect(settings->seed + s, (InvarianceChange)c,
                                      norms[norm].normalize);
                smallest = smaller(smallest, moved);
                largest = larger(largest, moved);
            }
            bool invariant = changes[c].invariant[norm];
            csv_row(&csv, "%s,%s,%d,%.3g,%.3g", changes[c].name, norms[norm].name,
                    invariant, smallest, largest);
            if (invariant)
                largest_kept = larger(largest_kept, largest);
            else
                smallest_moved = smaller(smallest_moved, smallest);
            if (largest < 1e-10)
                printf("  %*s", norm == WEIGHT_NORM ? 10 : 9, "stays");
            else
                printf("  %*.2f", norm == WEIGHT_NORM ? 10 : 9, smallest);
        }
        printf("\n");
    }
    csv_commit(&csv);
    claim(largest_kept < 1e-10,
          "what should not move moves by %.1g at most (rounding; below 1e-10)",
          largest_kept);
    claim(smallest_moved > 0.01, "what should move moves by %.2f at least (above 0.01)",
          smallest_moved);
}
