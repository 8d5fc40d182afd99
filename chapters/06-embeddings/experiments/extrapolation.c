/* Positions past the length they were trained with: learned, sinusoidal, none, and
 * scores by distance. */
#include <stdio.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/lookback_model.h"
#include "06-embeddings/experiments/spread.h"
#include "program/claim.h"
#include "files/csv.h"

enum { STEPS = 1000, SEEDS = 5 };

/* The mean over places from <= p < to. */
static double mean_between(const double accuracy[LOOKBACK_PLACES], size_t from,
                           size_t to) {
    double sum = 0;
    for (size_t p = from; p < to; p++) sum += accuracy[p] / (double)(to - from);
    return sum;
}

static void train_and_measure(double accuracy[LOOKBACK_PLACES], PositionKind kind,
                              size_t steps, uint64_t seed) {
    LookbackModel m = lookback_create(kind, seed);
    lookback_train(&m, 1, steps, seed);
    lookback_measure(accuracy, &m, seed);
    lookback_free(&m);
}

void experiment_extrapolation(const Settings *settings) {
    size_t steps = settings->quick ? STEPS / 10 : STEPS,
           seeds = settings->quick ? 1 : SEEDS;
    Spread inside[POSITION_KINDS], past[POSITION_KINDS];
    Csv csv = csv_begin(settings->out, "extrapolation", "kind,place,mean,low,high");
    Csv means = csv_begin(settings->out, "extrapolation-mean", "kind,seed,inside,past");
    for (int kind = 0; kind < POSITION_KINDS; kind++) {
        double accuracy[SEEDS][LOOKBACK_PLACES], in[SEEDS], behind[SEEDS];
        for (size_t k = 0; k < seeds; k++) {
            train_and_measure(accuracy[k], (PositionKind)kind, steps,
                              settings->seed + k);
            in[k] = mean_between(accuracy[k], 1, LOOKBACK_TRAINED);
            behind[k] = mean_between(accuracy[k], LOOKBACK_TRAINED, LOOKBACK_PLACES);
            csv_row(&means, "%s,%zu,%.6g,%.6g", position_kind_names[kind], k + 1, in[k],
                    behind[k]);
        }
        for (size_t p = 1; p < LOOKBACK_PLACES; p++) {
            Spread s = spread_of(&accuracy[0][p], seeds, LOOKBACK_PLACES);
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", position_kind_names[kind], p, s.mean,
                    s.low, s.high);
        }
        inside[kind] = spread_of(in, seeds, 1);
        past[kind] = spread_of(behind, seeds, 1);
        printf("  %-10s places 1 to %d: %.2f to %.2f right; %d to %d: %.2f to %.2f\n",
               position_kind_names[kind], LOOKBACK_TRAINED - 1, inside[kind].low,
               inside[kind].high, LOOKBACK_TRAINED, LOOKBACK_PLACES - 1, past[kind].low,
               past[kind].high);
    }
    csv_commit(&csv);
    csv_commit(&means);
    claim(inside[POSITIONS_LEARNED].low > 0.99 && past[POSITIONS_LEARNED].high < 0.15,
          "learned: %.3f right or more where it was trained, %.3f or less behind",
          inside[POSITIONS_LEARNED].low, past[POSITIONS_LEARNED].high);
    claim(inside[POSITIONS_SINUSOIDAL].low > 0.99 &&
              past[POSITIONS_SINUSOIDAL].high < 0.8,
          "sinusoidal: %.3f or more where it was trained, %.3f or less behind",
          inside[POSITIONS_SINUSOIDAL].low, past[POSITIONS_SINUSOIDAL].high);
    claim(inside[POSITIONS_NONE].high < 0.5, "none: %.3f or less where it was trained",
          inside[POSITIONS_NONE].high);
    claim(past[POSITIONS_DISTANCE].low > 0.99,
          "scores by distance: %.3f or more past what was trained",
          past[POSITIONS_DISTANCE].low);
}
