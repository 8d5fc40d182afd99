/* The judge of open problem 14/even_out. */
#include "14-compression/problems/even_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/codec.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"
#include "program/problem.h"
#include "math/random.h"

enum { DIM = EVEN_OUT_DIM, ROWS = 256, OUTLIERS = 3, TRIES = 20 };

/* --- the rules --- */

static double length(const float *x) {
    double sum = 0;
    for (size_t i = 0; i < DIM; i++) sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

static void expect_same(const float *a, const float *b, const float *like,
                        const char *what) {
    double off = largest_difference(a, b, DIM);
    if (!(off < 1e-4 * length(like))) die("turn_row: %s: off by %.1e", what, off);
}

/* A turn is linear, keeps lengths, can be undone, and remembers nothing. */
static void check_rules(Random *random) {
    for (size_t t = 0; t < TRIES; t++) {
        float x[DIM], y[DIM], both[DIM], sum[DIM], again[DIM];
        random_fill_normal(random, x, DIM, 1);
        random_fill_normal(random, y, DIM, 3);
        for (size_t i = 0; i < DIM; i++) both[i] = x[i] - 2 * y[i];
        double before = length(x);
        memcpy(again, x, sizeof x);
        turn_row(x);
        turn_row(y);
        turn_row(both);
        if (!(fabs(length(x) / before - 1) < 1e-4))
            die("turn_row: a row of length %.4f has length %.4f afterwards", before,
                length(x));
        for (size_t i = 0; i < DIM; i++) sum[i] = x[i] - 2 * y[i];
        expect_same(both, sum, sum, "it is not linear");
        memcpy(y, again, sizeof y);
        turn_row(y);
        expect_same(x, y, x, "the same row gives another result the second time");
        turn_row_back(x);
        expect_same(x, again, x, "turn_row_back does not undo it");
    }
}

/* --- the claim --- */

/* Noise with a mean, and with a few columns that are twenty times as large, as large
 * models have them. */
static float *matrix_with_outliers(Random *random) {
    float *w = checked_alloc(ROWS * DIM, sizeof *w), scale[DIM];
    random_fill_normal(random, w, ROWS * DIM, 1);
    for (size_t c = 0; c < DIM; c++) scale[c] = 1;
    for (size_t i = 0; i < OUTLIERS; i++) scale[random_below(random, DIM)] = 20;
    for (size_t i = 0; i < ROWS * DIM; i++) w[i] = scale[i % DIM] * w[i] + 3;
    return w;
}

/* The relative error of Q4_0 on the turned matrix, turned back. */
static double error_of(const float *w, bool turned) {
    double value, off = 0, all = 0;
    float *copy = checked_alloc(ROWS * DIM, sizeof *copy), row[DIM];
    memcpy(copy, w, ROWS * DIM * sizeof *w);
    for (size_t r = 0; r < ROWS && turned; r++) turn_row(copy + r * DIM);
    const Codec *codec = codec_find("q4_0", &value);
    Weight coded =
        codec_encode(codec, value, &(Matrix){.data = copy, .rows = ROWS, .cols = DIM});
    for (size_t r = 0; r < ROWS; r++) {
        weight_row(row, &coded, r);
        if (turned) turn_row_back(row);
        for (size_t c = 0; c < DIM; c++) {
            double x = (double)w[r * DIM + c], d = (double)row[c] - x;
            off += d * d;
            all += x * x;
        }
    }
    free((void *)(uintptr_t)coded.data);
    free(copy);
    return sqrt(off / all);
}

static void judge(const Settings *settings) {
    double error[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        check_rules(&random);
        float *w = matrix_with_outliers(&random);
        error[k] = error_of(w, true);
        printf("seed %zu: Q4_0's relative error is %.4f as it is, %.4f turned\n", k + 1,
               error_of(w, false), error[k]);
        free(w);
    }
    problem_at_most("relative error of the turned matrix", error, 0.1);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "14/even_out", judge);
}
