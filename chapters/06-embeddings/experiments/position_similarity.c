/* Cosines between positions: sinusoidal, and learned on two tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "06-embeddings/experiments/experiments.h"
#include "06-embeddings/experiments/lookback_model.h"
#include "06-embeddings/sinusoidal.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/reduce.h"

enum { SINUSOIDAL, BEFORE, WINDOW, TABLES };
enum {
    PLACES = LOOKBACK_TRAINED,
    DIM = LOOKBACK_DIM,
    REACH = 8,
    STEPS = 1000,
    SEEDS = 5
};

static double length_of(const float *row, size_t dim) {
    return sqrt((double)row_sum_squares(row, 0, dim));
}

static double cosine(const float *a, const float *b, size_t dim) {
    return (double)row_dot(a, b, dim) / (length_of(a, dim) * length_of(b, dim));
}

void show_similarity(void) {
    enum { N = 200, WIDE = 64 };
    static const size_t starts[] = {0, 10, 100},
                        distances[] = {0, 1, 2, 4, 8, 16, 32, 64};
    float table[N * WIDE];
    sinusoidal_table(table, N, WIDE);
    printf("\nCosine between sinusoidal positions p and p + distance, %d columns:\n  "
           "distance",
           WIDE);
    for (size_t j = 0; j < 8; j++) printf(" %7zu", distances[j]);
    printf("\n");
    for (size_t i = 0; i < 3; i++) {
        printf("  p = %-4zu", starts[i]);
        for (size_t j = 0; j < 8; j++) {
            printf(" %7.4f", cosine(table + starts[i] * WIDE,
                                    table + (starts[i] + distances[j]) * WIDE, WIDE));
        }
        printf("\n");
    }
}

/* A learned table after training; the answer is one of the last `reach` words. */
static void learn(float table[PLACES * DIM], size_t reach, size_t steps,
                  uint64_t seed) {
    LookbackModel m = lookback_create(POSITIONS_LEARNED, seed);
    lookback_train(&m, reach, steps, seed);
    memcpy(table, m.wpe->data, PLACES * DIM * sizeof *table);
    lookback_free(&m);
}

/* The mean cosine of two rows that are `distance` apart. */
static double mean_cosine(const float table[PLACES * DIM], size_t distance) {
    double sum = 0;
    for (size_t p = 0; p + distance < PLACES; p++) {
        sum += cosine(table + p * DIM, table + (p + distance) * DIM, DIM) /
               (double)(PLACES - distance);
    }
    return sum;
}

/* The largest difference between cosines at one distance. */
static double spread_at_distance(const float table[PLACES * DIM]) {
    double worst = 0;
    for (size_t p = 0; p < PLACES; p++) {
        for (size_t q = p; q < PLACES; q++) {
            double here = cosine(table + p * DIM, table + q * DIM, DIM),
                   first = cosine(table, table + (q - p) * DIM, DIM);
            worst = larger(worst, fabs(here - first));
        }
    }
    return worst;
}

void experiment_position_similarity(const Settings *settings) {
    float tables[TABLES][PLACES * DIM];
    size_t seeds = settings->quick ? 1 : SEEDS,
           steps = settings->quick ? STEPS / 10 : STEPS;
    Csv maps =
        csv_begin(settings->out, "position-similarity", "p,q,sinusoidal,before,window");
    Csv csv = csv_begin(settings->out, "similarity-by-distance",
                        "seed,distance,sinusoidal,before,window");
    double nearest = INFINITY, behind = -INFINITY, largest = 0;
    sinusoidal_table(tables[SINUSOIDAL], PLACES, DIM);
    for (size_t k = 0; k < seeds; k++) {
        learn(tables[BEFORE], 1, steps, settings->seed + k);
        learn(tables[WINDOW], REACH, steps, settings->seed + k);
        for (size_t d = 1; d <= 2 * REACH; d++) {
            double alike[TABLES];
            for (size_t i = 0; i < TABLES; i++) alike[i] = mean_cosine(tables[i], d);
            csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g", k + 1, d, alike[SINUSOIDAL],
                    alike[BEFORE], alike[WINDOW]);
            if (d == 1) nearest = smaller(nearest, alike[WINDOW]);
            if (d == REACH) behind = larger(behind, alike[WINDOW]);
            largest = larger(largest, fabs(alike[BEFORE]));
        }
        for (size_t i = 0; k == 0 && i < PLACES * PLACES; i++) {
            double alike[TABLES];
            for (size_t j = 0; j < TABLES; j++)
                alike[j] = cosine(tables[j] + i / PLACES * DIM,
                                  tables[j] + i % PLACES * DIM, DIM);
            csv_row(&maps, "%zu,%zu,%.6g,%.6g,%.6g", i / PLACES, i % PLACES,
                    alike[SINUSOIDAL], alike[BEFORE], alike[WINDOW]);
        }
    }
    csv_commit(&maps);
    csv_commit(&csv);
    claim(spread_at_distance(tables[SINUSOIDAL]) < 1e-5,
          "the cosine of two sinusoidal positions depends on their distance alone (to "
          "%.1e)",
          spread_at_distance(tables[SINUSOIDAL]));
    claim(largest < 0.3,
          "learned to find the word before: neighbours are as unlike as any, %.2f at "
          "most",
          largest);
    claim(nearest > 0.4 && behind < -0.2,
          "learned to find one of the last %d: cosine %.2f or more at distance 1, %.2f "
          "or less at %d",
          REACH, nearest, behind, REACH);
}
