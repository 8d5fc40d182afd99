/* The effect of 1 / sqrt(head_dim): without it the softmax of longer vectors is nearly
 * a choice of one, and hardly passes a gradient. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "07-attention/experiments/experiments.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "kernels/matmul.h"
#include "base/memory.h"
#include "math/random.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

enum {
    LENGTH = 64,
    SMALLEST = 4,
    LARGEST = 4096,
    DIMS = 6,
    SEEDS = 5,
    ROUNDS = 16,
    QUICK_ROUNDS = 2
};
/* which of the head_dims is GPT-2's; how many of the largest are fitted */
enum { GPT2 = 2, FITTED = 3 };

/* Means over rows: the entropy of the weights in nats, the largest weight, the length
 * of the scores' gradient, and whether that is nearly nothing. */
typedef struct {
    double entropy, largest, gradient, asleep;
} Softness;

static const double nearly_nothing = 0.01;

/* Adds the results of one square of scores q k^T, times `scale`: its weights, and the
 * gradient that comes through them from a gradient dweights of N(0, 1). */
static void add_softness(Softness *sum, const float *scores, const float *dweights,
                         float scale) {
    float weights[LENGTH * LENGTH], dscores[LENGTH * LENGTH] = {0};
    for (size_t t = 0; t < LENGTH; t++)
        row_softmax(weights + t * LENGTH, scores + t * LENGTH, LENGTH, scale);
    softmax_backward(dscores, dweights, weights, LENGTH, LENGTH, 1);
    for (size_t t = 0; t < LENGTH; t++) {
        const float *row = weights + t * LENGTH;
        for (size_t s = 0; s < LENGTH; s++) {
            if (row[s] > 0.0f)
                sum->entropy -= (double)row[s] * log_double((double)row[s]);
        }
        sum->largest += (double)row_max(row, LENGTH);
        double gradient =
            sqrt((double)row_sum_squares(dscores + t * LENGTH, 0.0f, LENGTH));
        sum->gradient += gradient;
        sum->asleep += gradient < nearly_nothing;
    }
}

/* Queries and keys of `dim` independent numbers from N(0, 1). */
static void measure(Softness *with, Softness *without, size_t dim, size_t rounds,
                    uint64_t seed) {
    float *q = checked_alloc(2 * LENGTH * dim, sizeof *q), *k = q + LENGTH * dim;
    float scores[LENGTH * LENGTH], dweights[LENGTH * LENGTH];
    Random random = random_stream(seed, dim);
    *with = *without = (Softness){0};
    for (size_t i = 0; i < rounds; i++) {
        random_fill_normal(&random, q, 2 * LENGTH * dim, 1);
        random_fill_normal(&random, dweights, LENGTH * LENGTH, 1);
        matmul_a_bt(scores, q, k, LENGTH, LENGTH, dim, false);
        add_softness(with, scores, dweights, 1.0f / sqrtf((float)dim));
        add_softness(without, scores, dweights, 1.0f);
    }
    double rows = (double)(rounds * LENGTH);
    Softness *both[2] = {with, without};
    for (size_t i = 0; i < 2; i++) {
        both[i]->entropy /= rows;
        both[i]->largest /= rows;
        both[i]->gradient /= rows;
        both[i]->asleep /= rows;
    }
    free(q);
}

typedef struct {
    double dims[DIMS];
    Softness at[2][SEEDS][DIMS]; /* without the division, with it */
} Table;

static void write_table(const Settings *settings, const Table *x) {
    Csv csv = csv_begin(settings->out, "scale",
                        "scaled,seed,head_dim,entropy,largest,gradient,asleep,even");
    for (size_t i = 0; i < 2 * SEEDS * DIMS; i++) {
        size_t scaled = i / SEEDS / DIMS, s = i / DIMS % SEEDS, d = i % DIMS;
        const Softness *y = &x->at[scaled][s][d];
        csv_row(&csv, "%s,%zu,%.0f,%.6g,%.6g,%.6g,%.6g,%.6g", scaled ? "yes" : "no",
                s + 1, x->dims[d], y->entropy, y->largest, y->gradient, y->asleep,
                log_double(LENGTH));
    }
    csv_commit(&csv);
}

static void claim_without(const Table *x) {
    double lowest[2] = {INFINITY, INFINITY}, highest[2] = {-INFINITY, -INFINITY},
           asleep = INFINITY;
    for (size_t s = 0; s < SEEDS; s++) {
        double y[2][DIMS];
        for (size_t d = 0; d < DIMS; d++) {
            y[0][d] = x->at[0][s][d].entropy;
            y[1][d] = x->at[0][s][d].gradient;
        }
        for (size_t i = 0; i < 2; i++) {
            double k =
                fit_exponent(x->dims + DIMS - FITTED, y[i] + DIMS - FITTED, FITTED);
            lowest[i] = smaller(lowest[i], k);
            highest[i] = larger(highest[i], k);
        }
        asleep = smaller(asleep, x->at[0][s][GPT2].asleep);
    }
    for (size_t i = 0; i < 2; i++) {
        claim(lowest[i] > -0.62 && highest[i] < -0.38,
              "not divided: %s ~ d^k from d = %.0f on, k from %.2f to %.2f (theory "
              "-0.5, allowed +-0.12)",
              i ? "gradient" : "entropy", x->dims[DIMS - FITTED], lowest[i],
              highest[i]);
    }
    claim(asleep > 0.1,
          "and at d = %.0f, GPT-2's, %.2f of the rows or more pass a gradient below "
          "%.2f (above 0.1)",
          x->dims[GPT2], asleep, nearly_nothing);
}

static void claim_with(const Table *x) {
    double asleep = 0, spread = 0;
    for (size_t i = 0; i < SEEDS * DIMS; i++) {
        const Softness *y = &x->at[1][i / DIMS][i % DIMS],
                       *last = &x->at[1][i / DIMS][DIMS - 1];
        asleep = larger(asleep, y->asleep);
        spread = larger(spread, fabs(y->entropy / last->entropy - 1));
        spread = larger(spread, fabs(y->gradient / last->gradient - 1));
    }
    claim(spread < 0.15 && asleep == 0,
          "divided by sqrt(d): both stay within %.0f %% from d = %d to %d (allowed 15 "
          "%%), and no row falls "
          "asleep",
          100 * spread, SMALLEST, LARGEST);
}

void experiment_scale(const Settings *settings) {
    Table x;
    size_t rounds = settings->quick ? QUICK_ROUNDS : ROUNDS;
    for (size_t d = 0; d < DIMS; d++) x.dims[d] = (double)(SMALLEST << 2 * d);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < SEEDS * DIMS; i++) {
        size_t s = i % SEEDS, d = DIMS - 1 - i / SEEDS; /* the largest first */
        measure(&x.at[1][s][d], &x.at[0][s][d], (size_t)x.dims[d], rounds,
                settings->seed + s);
    }
    write_table(settings, &x);
    claim_without(&x);
    claim_with(&x);
}
