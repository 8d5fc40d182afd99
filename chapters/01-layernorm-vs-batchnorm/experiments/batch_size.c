/* The same sample in batches of 1 to 256: LayerNorm's output does not move, BatchNorm's
 * does, and how far. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "01-layernorm-vs-batchnorm/batchnorm.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "01-layernorm-vs-batchnorm/experiments/source.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

/* batches of 1, 2, 4 ... 256 */
enum { LARGEST_BATCH = 256, BATCHES = 9, DRAWS = 400, SEEDS = 5 };

/* The first sample of x under both norms, when the batch is the first `batch`
 * samples. */
static void normalize_first(float ln[FEATURES], float bn[FEATURES], const float *x,
                            size_t batch) {
    float out[LARGEST_BATCH * FEATURES], mean[LARGEST_BATCH], rstd[LARGEST_BATCH];
    layernorm_forward(out, mean, rstd, x, NULL, NULL, batch, FEATURES, 1e-5f);
    memcpy(ln, out, FEATURES * sizeof *ln);
    batchnorm_statistics(mean, rstd, x, (BatchShape){batch, FEATURES, 1}, 1e-5f);
    batchnorm_normalize(bn, x, mean, rstd, NULL, NULL, (BatchShape){1, FEATURES, 1});
}

void show_batches(const Settings *settings) {
    float x[LARGEST_BATCH * FEATURES];
    Source source = source_create(settings->seed);
    Random random = random_stream(settings->seed, STREAM_SAMPLE);
    source_draw(&source, x, LARGEST_BATCH, &random);
    printf("one sample of %d features, three of them, under both norms\n", FEATURES);
    printf("batch        LayerNorm                  BatchNorm\n");
    for (size_t batch = 1; batch <= LARGEST_BATCH; batch *= 2) {
        float ln[FEATURES], bn[FEATURES];
        normalize_first(ln, bn, x, batch);
        printf("%5zu  %7.3f %7.3f %7.3f    %7.3f %7.3f %7.3f\n", batch, (double)ln[0],
               (double)ln[1], (double)ln[2], (double)bn[0], (double)bn[1],
               (double)bn[2]);
    }
}

/* BatchNorm's output for a feature of a sample in an endless batch. */
static double endless_output(const Source *source, const float *x, size_t feature) {
    double variance = source->deviation[feature] * source->deviation[feature];
    return ((double)x[feature] - source->mean[feature]) / sqrt(variance + 1e-5);
}

/* The squared distance of BatchNorm's output from that in an endless batch, summed over
 * features. */
static double distance_squared(const float *bn, const float *x, const Source *source) {
    double sum = 0;
    for (size_t c = 0; c < FEATURES; c++) {
        double off = (double)bn[c] - endless_output(source, x, c);
        sum += off * off;
    }
    return sum;
}

/* The features of the demonstration's sample under both norms, in the batches of 1 to
 * 256 samples that begin with it, and BatchNorm's in an endless one. */
static void log_sample(const Settings *settings) {
    float x[LARGEST_BATCH * FEATURES];
    Source source = source_create(settings->seed);
    Random random = random_stream(settings->seed, STREAM_SAMPLE);
    source_draw(&source, x, LARGEST_BATCH, &random);
    Csv csv = csv_begin(settings->out, "one-sample",
                        "batch,feature,layernorm,batchnorm,endless");
    for (size_t batch = 1; batch <= LARGEST_BATCH; batch++) {
        float ln[FEATURES], bn[FEATURES];
        normalize_first(ln, bn, x, batch);
        for (size_t c = 0; c < FEATURES; c++)
            csv_row(&csv, "%zu,%zu,%.4g,%.4g,%.4g", batch, c, (double)ln[c],
                    (double)bn[c], endless_output(&source, x, c));
    }
    csv_commit(&csv);
}

/* Root mean square distances over draws and features: BatchNorm's from an endless
 * batch, LayerNorm's from the sample alone. */
typedef struct {
    double batch[BATCHES], bn[BATCHES], ln[BATCHES];
} Distances;

static Distances measure_distances(uint64_t seed) {
    Distances d = {0};
    Source source = source_create(seed);
    Random random = random_stream(seed, STREAM_SAMPLE);
    for (int draw = 0; draw < DRAWS; draw++) {
        float x[LARGEST_BATCH * FEATURES], alone[FEATURES];
        source_draw(&source, x, LARGEST_BATCH, &random);
        for (size_t b = 0; b < BATCHES; b++) {
            float ln[FEATURES], bn[FEATURES];
            normalize_first(ln, bn, x, (size_t)1 << b);
            if (b == 0) memcpy(alone, ln, sizeof ln);
            for (size_t c = 0; c < FEATURES; c++)
                d.ln[b] += ((double)ln[c] - alone[c]) * ((double)ln[c] - alone[c]);
            d.bn[b] += distance_squared(bn, x, &source);
        }
    }
    for (size_t b = 0; b < BATCHES; b++) {
        d.batch[b] = (double)((size_t)1 << b);
        d.ln[b] = sqrt(d.ln[b] / DRAWS / FEATURES);
        d.bn[b] = sqrt(d.bn[b] / DRAWS / FEATURES);
    }
    return d;
}

void experiment_batch_size(const Settings *settings) {
    /* from a batch of 8 on: before, the sample itself is much of its batch */
    enum { FIRST_FITTED = 3 };
    Csv csv =
        csv_begin(settings->out, "batch-size", "seed,batch,layernorm,batchnorm,theory");
    double largest_ln = 0, slopes[SEEDS];
    log_sample(settings);
    for (uint64_t s = 0; s < SEEDS; s++) {
        Distances d = measure_distances(settings->seed + s);
        for (size_t b = 0; b < BATCHES; b++) {
            /* The mean of B samples is off by 1/sqrt(B) deviations,
             * their deviation by 1/sqrt(2B) of itself. */
            double theory = sqrt(1.5 / d.batch[b]);
            csv_row(&csv, "%zu,%g,%.6g,%.6g,%.6g", (size_t)(settings->seed + s),
                    d.batch[b], d.ln[b], d.bn[b], theory);
            largest_ln = larger(largest_ln, d.ln[b]);
        }
        slopes[s] = fit_exponent(d.batch + FIRST_FITTED, d.bn + FIRST_FITTED,
                                 BATCHES - FIRST_FITTED);
    }
    csv_commit(&csv);
    claim(largest_ln == 0,
          "LayerNorm: the output is the same to the last bit at every batch size "
          "(distance %g)",
          largest_ln);
    for (size_t s = 0; s < SEEDS; s++) {
        claim(slopes[s] > -0.6 && slopes[s] < -0.4,
              "BatchNorm, seed %zu: distance from an endless batch ~ B^%.3f (theory "
              "-0.5, allowed -0.6 to "
              "-0.4)",
              (size_t)settings->seed + s, slopes[s]);
    }
}
