/* The mean square of the stream at initialization, layer by layer. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/untrained.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { STREAM_LAYERS = 24, INPUTS = 64, MAX_SEED_ROWS = MAX_SEEDS + 1 };

/* |x_l|^2 / d, l = 0 .. STREAM_LAYERS, the mean over INPUTS inputs. */
static void measure_stream(double *mean, Placement placement, uint64_t seed) {
    Untrained u = untrained_create(placement, STREAM_LAYERS, seed);
    for (size_t l = 0; l <= STREAM_LAYERS; l++) mean[l] = 0;
    for (size_t r = 0; r < INPUTS; r++) {
        Tensor *stream[STREAM_LAYERS + 1];
        untrained_backward(&u, stream);
        for (size_t l = 0; l <= STREAM_LAYERS; l++) {
            for (size_t i = 0; i < setup.width; i++) {
                double value = (double)stream[l]->data[i];
                mean[l] += value * value / (double)(setup.width * INPUTS);
            }
        }
    }
    untrained_free(&u);
}

/* by[k] of seed k, their mean in by[seeds]. */
static void measure_streams(double by[MAX_SEED_ROWS][STREAM_LAYERS + 1],
                            Placement placement, const Settings *settings,
                            size_t seeds) {
    for (size_t l = 0; l <= STREAM_LAYERS; l++) by[seeds][l] = 0;
    for (size_t k = 0; k < seeds; k++) {
        measure_stream(by[k], placement, settings->seed + k);
        for (size_t l = 0; l <= STREAM_LAYERS; l++)
            by[seeds][l] += by[k][l] / (double)seeds;
    }
}

void experiment_stream_size(const Settings *settings) {
    double by[PLACEMENTS][MAX_SEED_ROWS][STREAM_LAYERS + 1], layers[STREAM_LAYERS + 1];
    size_t seeds = settings->quick ? 3 : 6, outside = 0;
    for (size_t p = 0; p < PLACEMENTS; p++)
        measure_streams(by[p], placements[p], settings, seeds);
    Csv csv = csv_begin(settings->out, "stream-size", "seed,layer,post,pre");
    for (size_t k = 0; k <= seeds; k++) {
        char seed[24] = "mean";
        if (k < seeds) snprintf(seed, sizeof seed, "%zu", k + 1);
        for (size_t l = 0; l <= STREAM_LAYERS; l++) {
            csv_row(&csv, "%s,%zu,%.6g,%.6g", seed, l, by[0][k][l], by[1][k][l]);
        }
    }
    csv_commit(&csv);
    double off = 0;
    for (size_t l = 1; l <= STREAM_LAYERS; l++) {
        double pre = by[1][seeds][l], x = (double)l,
               from_one = fabs(by[0][seeds][l] - 1);
        layers[l] = x;
        outside += pre < 1 + x / 2 || pre > 1 + 1.5 * x;
        if (from_one > off) off = from_one;
    }
    claim(off < 1e-3, "post-LN: |x_l|^2/d is 1 behind every layer, within %.1e", off);
    claim(outside == 0, "pre-LN: between 1 + l/2 and 1 + 3l/2 behind %zu of %d layers",
          STREAM_LAYERS - outside, STREAM_LAYERS);
    double slope = fit_slope(layers + 1, by[1][seeds] + 1, STREAM_LAYERS);
    claim(slope > 0.8 && slope < 1.2,
          "pre-LN: it grows by %.2f a layer, between 0.8 and 1.2", slope);
}

void show_stream(const Settings *settings) {
    static const size_t shown[] = {0, 1, 2, 4, 8, 16, 24};
    enum { SHOWN = sizeof shown / sizeof *shown, SEEDS = 4 };
    printf("\nMean square of the stream behind layer l, at initialization:\n\n%-8s",
           "layer");
    for (size_t i = 0; i < SHOWN; i++) printf(" %8zu", shown[i]);
    putchar('\n');
    for (size_t p = 0; p < PLACEMENTS; p++) {
        double by[MAX_SEED_ROWS][STREAM_LAYERS + 1];
        measure_streams(by, placements[p], settings, SEEDS);
        printf("%-8s", placement_name(placements[p]));
        for (size_t i = 0; i < SHOWN; i++) printf(" %8.2f", by[SEEDS][shown[i]]);
        putchar('\n');
    }
}
