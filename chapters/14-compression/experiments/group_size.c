/* Error against the size of the group that shares a scale: 4 bits, with a scale alone
 * and with an offset, on white noise and on a trained matrix; and with 2 to 8 bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/coded_model.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/models.h"
#include "14-compression/q4_0.h"
#include "14-compression/theory.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "math/half.h"
#include "base/memory.h"
#include "math/random.h"

enum {
    LEAST = 8,
    MOST = 256,
    SIZE = 256,
    SEEDS = 3,
    BITS = 4,
    MOST_BITS = 8,
    SCALE_BITS = 16
};

/* A value through float16, as a file stores it. */
static float stored(float x) {
    return half_to_float(float_to_half(x));
}

/* The squared error of a group in the rule of Q4_0, or with an offset that of Q4_1,
 * with any number of bits. */
static double group_error_of(const float *x, size_t n, unsigned bits, bool offset) {
    float least = x[0], most = x[0];
    for (size_t i = 0; i < n; i++) {
        least = fminf(least, x[i]);
        most = fmaxf(most, x[i]);
    }
    float farthest = fabsf(least) > fabsf(most) ? least : most;
    float half = (float)(1 << (bits - 1)), last = 2 * half - 1;
    float scale = offset ? (most - least) / last : farthest / -half;
    float inverse = scale != 0 ? 1 / scale : 0, zero = offset ? least : -half * scale,
          zero_stored = offset ? stored(least) : -half * stored(scale);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        float q = fminf(floorf((x[i] - zero) * inverse + 0.5f), last);
        double off = (double)(stored(scale) * q + zero_stored - x[i]);
        sum += off * off;
    }
    return sum;
}

static double error_of(const float *x, size_t n, size_t group, unsigned bits,
                       bool offset) {
    double squares = 0, off = 0;
    for (size_t i = 0; i < n; i++) squares += (double)x[i] * (double)x[i];
    for (size_t i = 0; i < n; i += group)
        off += group_error_of(x + i, group, bits, offset);
    return sqrt(off / squares);
}

/* x [n], rows of a multiple of MOST columns. Returns how far the symmetric error is
 * from the theory's, at most. */
static double measure(Csv *csv, const char *matrix, uint64_t seed, const float *x,
                      size_t n) {
    double off = 0;
    for (size_t group = LEAST; group <= MOST; group *= 2) {
        double extra = SCALE_BITS / (double)group, theory = group_error(group),
               symmetric = error_of(x, n, group, BITS, false);
        csv_row(csv, "%s,%llu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g", matrix,
                (unsigned long long)seed, group, BITS + extra, symmetric, theory,
                BITS + 2 * extra, error_of(x, n, group, BITS, true));
        off = larger(off, fabs(symmetric / theory - 1));
    }
    return off;
}

/* The same with 2 to 8 bits, a scale alone and with an offset. */
static void measure_bits(Csv *csv, const char *matrix, const float *x, size_t n) {
    for (unsigned bits = 2; bits <= MOST_BITS; bits++) {
        for (size_t group = LEAST; group <= MOST; group *= 2) {
            double extra = SCALE_BITS / (double)group;
            csv_row(csv, "%s,%u,%zu,%.6g,%.6g,%.6g,%.6g", matrix, bits, group,
                    bits + extra, error_of(x, n, group, bits, false), bits + 2 * extra,
                    error_of(x, n, group, bits, true));
        }
    }
}

/* How often Q4_0 uses each of its 16 numbers. */
static void count_numbers(Csv *csv, const char *matrix, uint64_t seed, const float *x,
                          size_t n) {
    size_t counts[1 << BITS] = {0};
    for (size_t i = 0; i < n; i += BLOCK) {
        BlockQ4_0 block;
        q4_0_encode(&block, x + i);
        for (size_t k = 0; k < BLOCK / 2; k++) {
            counts[block.q[k] & 15]++;
            counts[block.q[k] >> 4]++;
        }
    }
    for (size_t q = 0; q < 1 << BITS; q++)
        csv_row(csv, "%s,%llu,%zu,%.6g", matrix, (unsigned long long)seed, q,
                (double)counts[q] / (double)n);
}

/* The way out of the second FFN: rows of 512. Returns the same. */
static double measure_model(Csv *csv, Csv *numbers, Csv *by_bits, size_t i,
                            const Settings *settings) {
    static const char name[] = "h.1.mlp.c_proj.weight";
    TextModel m = kept_model(i, settings->seed, settings->quick);
    const Params *params = &m.model->params;
    size_t p = 0;
    while (p < params->n && strcmp(params->items[p].name, name) != 0) p++;
    if (p == params->n) die("group-size: the model has no %s", name);
    Matrix matrix;
    float *floats = coded_matrix(&params->items[p], NULL, &matrix);
    double off =
        measure(csv, "FFN", settings->seed + i, floats, matrix.rows * matrix.cols);
    count_numbers(numbers, "FFN", settings->seed + i, floats,
                  matrix.rows * matrix.cols);
    if (i == 0) measure_bits(by_bits, "FFN", floats, matrix.rows * matrix.cols);
    free(floats);
    text_model_free(&m);
    return off;
}

void experiment_group_size(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "group-size",
                        "matrix,seed,group,bits,error,theory,offset_bits,offset_error"),
        numbers = csv_begin(settings->out, "q4-numbers", "matrix,seed,q,share"),
        by_bits = csv_begin(
            settings->out, "bits",
            "matrix,bits,group,stored_bits,error,offset_stored_bits,offset_error");
    double noise = 0, trained = 0;
    size_t seeds = settings->quick ? 1 : SEEDS;
    float *x = checked_alloc(SIZE * SIZE, sizeof *x);
    for (size_t s = 0; s < seeds; s++) {
        Random random = random_create(settings->seed + s);
        random_fill_normal(&random, x, SIZE * SIZE, 0.02f);
        noise =
            larger(noise, measure(&csv, "noise", settings->seed + s, x, SIZE * SIZE));
        if (s == 0) measure_bits(&by_bits, "noise", x, SIZE * SIZE);
        count_numbers(&numbers, "noise", settings->seed + s, x, SIZE * SIZE);
        trained = larger(trained, measure_model(&csv, &numbers, &by_bits, s, settings));
    }
    free(x);
    csv_commit(&csv);
    csv_commit(&numbers);
    csv_commit(&by_bits);
    claim(noise < 0.03, "white noise: the formula's error within %.1f %% (3)",
          100 * noise);
    claim(trained < 0.3, "trained: within %.0f %% (30)", 100 * trained);
}
