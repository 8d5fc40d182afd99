/* Sequences of different lengths, padded with zeros: BatchNorm's statistics count the
 * padding, LayerNorm's of a position do not see it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "01-layernorm-vs-batchnorm/batchnorm.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "01-layernorm-vs-batchnorm/experiments/source.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"

enum {
    SEQUENCES = 32,
    SHORTEST = 12,
    LONGEST = 16,
    SEEDS = 5,
    LENGTHS = 9,
    MAX_POSITIONS = SEQUENCES * LONGEST
};
static const size_t padded_lengths[LENGTHS] = {16, 18, 20, 24, 32, 48, 64, 96, 160};

/* Sequences of 12 to 16 positions one after the other, without padding. */
typedef struct {
    size_t lengths[SEQUENCES], positions;
    float x[MAX_POSITIONS * FEATURES];
} Ragged;

static void draw_ragged(Ragged *r, const Source *source, uint64_t seed) {
    Random random = random_stream(seed, STREAM_SAMPLE);
    r->positions = 0;
    for (size_t n = 0; n < SEQUENCES; n++) {
        r->lengths[n] = SHORTEST + random_below(&random, LONGEST - SHORTEST + 1);
        r->positions += r->lengths[n];
    }
    source_draw(source, r->x, r->positions, &random);
}

/* Both norms on the batch padded to `length`; the outputs of the real positions, in the
 * order of r->x. */
static void normalize_padded(float *bn, float *ln, const Ragged *r, size_t length) {
    size_t size = SEQUENCES * length * FEATURES;
    float *rows = checked_alloc(size, sizeof *rows),
          *out = checked_alloc(size, sizeof *out);
    /* [N, C, L], BatchNorm's order */
    float *channels = checked_alloc(size, sizeof *channels);
    float *mean = checked_alloc(SEQUENCES * length, sizeof *mean),
          *rstd = checked_alloc(SEQUENCES * length, sizeof *rstd);
    const float *next = r->x;
    for (size_t n = 0; n < SEQUENCES; n++) {
        memcpy(rows + n * length * FEATURES, next,
               r->lengths[n] * FEATURES * sizeof *next);
        for (size_t l = 0; l < r->lengths[n]; l++, next += FEATURES) {
            for (size_t c = 0; c < FEATURES; c++)
                channels[(n * FEATURES + c) * length + l] = next[c];
        }
    }
    layernorm_forward(out, mean, rstd, rows, NULL, NULL, SEQUENCES * length, FEATURES,
                      1e-5f);
    for (size_t n = 0; n < SEQUENCES; n++) {
        memcpy(ln, out + n * length * FEATURES, r->lengths[n] * FEATURES * sizeof *ln);
        ln += r->lengths[n] * FEATURES;
    }
    batchnorm_statistics(mean, rstd, channels,
                         (BatchShape){SEQUENCES, FEATURES, length}, 1e-5f);
    batchnorm_normalize(bn, r->x, mean, rstd, NULL, NULL,
                        (BatchShape){r->positions, FEATURES, 1});
    free(rows);
    free(out);
    free(channels);
    free(mean);
    free(rstd);
}

static double root_mean_square(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum / (double)n);
}

/* A share p of zeros turns a channel's mean m into (1 - p) m and its variance s^2 into
 * (1 - p) s^2 + p (1 - p) m^2. With k = m / s, z = (x - m) / s becomes ratio (z + p k),
 * and z has mean 0 and mean square 1. */
static double predicted_shift(const float *mean, const float *rstd, double p) {
    double sum = 0;
    for (size_t c = 0; c < FEATURES; c++) {
        double k = (double)mean[c] * (double)rstd[c],
               ratio = 1 / sqrt((1 - p) * (1 + p * k * k));
        sum += (ratio - 1) * (ratio - 1) + ratio * ratio * p * p * k * k;
    }
    return sqrt(sum / FEATURES);
}

void experiment_padding(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "padding",
                        "seed,length,padding,batchnorm,layernorm,theory");
    Source source = source_create(settings->seed);
    double largest_ln = 0, worst = 0, at_half = 0;
    printf("%d sequences of %d to %d positions; how far their outputs move when they "
           "are padded (seed %zu)\n",
           SEQUENCES, SHORTEST, LONGEST, (size_t)settings->seed);
    printf("padded to  padding  BatchNorm  theory  LayerNorm\n");
    for (uint64_t s = 0; s < SEEDS; s++) {
        Ragged r;
        float bn[MAX_POSITIONS * FEATURES], ln[MAX_POSITIONS * FEATURES],
            padded_bn[MAX_POSITIONS * FEATURES], padded_ln[MAX_POSITIONS * FEATURES],
            mean[MAX_POSITIONS], rstd[MAX_POSITIONS];
        draw_ragged(&r, &source, settings->seed + s);
        size_t size = r.positions * FEATURES;
        layernorm_forward(ln, mean, rstd, r.x, NULL, NULL, r.positions, FEATURES,
                          1e-5f);
        BatchShape all = {r.positions, FEATURES, 1};
        batchnorm_statistics(mean, rstd, r.x, all, 1e-5f);
        batchnorm_normalize(bn, r.x, mean, rstd, NULL, NULL, all);
        for (size_t i = 0; i < LENGTHS; i++) {
            size_t length = padded_lengths[i];
            double padding = 1 - (double)r.positions / (double)(SEQUENCES * length);
            normalize_padded(padded_bn, padded_ln, &r, length);
            double shift = root_mean_square(padded_bn, bn, size),
                   ln_shift = root_mean_square(padded_ln, ln, size);
            double theory = predicted_shift(mean, rstd, padding);
            csv_row(&csv, "%zu,%zu,%.6g,%.6g,%.6g,%.6g", (size_t)(settings->seed + s),
                    length, padding, shift, ln_shift, theory);
            if (s == 0) {
                printf("%9zu  %7.3f  %9.3f  %6.3f  %9g\n", length, padding, shift,
                       theory, ln_shift);
            }
            largest_ln = larger(largest_ln, ln_shift);
            worst = larger(worst, fabs(shift / theory - 1));
            if (length == 2 * LONGEST) at_half += shift / SEEDS;
        }
    }
    csv_commit(&csv);
    claim(largest_ln == 0, "LayerNorm: a position's output is the same to the last bit "
                           "whatever the padding");
    claim(worst < 1e-3,
          "BatchNorm: the shift is within %.2g of the theory's for every length and "
          "seed (allowed 0.001)",
          worst);
    claim(at_half > 0.5,
          "BatchNorm: padded to twice the longest sequence, outputs move by %.2f "
          "deviations (above 0.5)",
          at_half);
}
