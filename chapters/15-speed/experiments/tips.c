/* Three tips that are often given, each measured: a table for GELU, a gradient of the
 * token table that holds only the rows that were met, and two operations fused into
 * one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/adamw.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "04-ffn-swiglu/gelu.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"
#include "kernels/threads.h"

enum {
    DIM = 768,
    VOCAB = 50257,
    TOKENS = 256,
    ACTIVATIONS = TOKENS * 4 * DIM,
    TURNS = 15
};

typedef struct {
    const char *name;
    Work *run[2]; /* without the tip, and with it */
} Tip;

static float *x, *out, *table_weight, *table_grad, *moments[2], *sum, *statistics[2];

/* --- a table of GELU from -8 to 8, with straight lines between its entries --- */

enum { ENTRIES = 4096, RANGE = 8 };
static float entries[ENTRIES + 2];

static void gelu_by_table(void) {
    const float scale = (float)ENTRIES / (2 * RANGE);
    for (size_t i = 0; i < ACTIVATIONS; i++) {
        float at = (x[i] + RANGE) * scale;
        if (at < 0) at = 0;
        if (at > ENTRIES) at = ENTRIES;
        int entry = (int)at;
        float part = at - (float)entry,
              value = entries[entry] + part * (entries[entry + 1] - entries[entry]);
        out[i] = x[i] > RANGE ? x[i] : value;
    }
}
static void gelu_by_formula(void) {
    gelu_tanh_forward(out, x, ACTIVATIONS);
}

/* --- the token table: its gradient is cleared and its optimizer runs over all rows, or
 * over those of this step --- */

static const AdamWSettings settings_of_adamw = {1e-4f, 0.9f, 0.95f, 1e-8f, 0.1f};

static size_t row_of(size_t token) {
    return token * 193 % VOCAB;
}
static void update_all_rows(void) {
    memset(table_grad, 0, sizeof(float) * VOCAB * DIM);
    adamw_update(table_weight, moments[0], moments[1], table_grad, (size_t)VOCAB * DIM,
                 &settings_of_adamw, 10);
}
static void update_rows_met(void) {
    for (size_t t = 0; t < TOKENS; t++) {
        size_t at = row_of(t) * DIM;
        memset(table_grad + at, 0, sizeof(float) * DIM);
        adamw_update(table_weight + at, moments[0] + at, moments[1] + at,
                     table_grad + at, DIM, &settings_of_adamw, 10);
    }
}

/* --- the residual sum and the norm behind it: two sweeps over all rows, or one row at
 * a time --- */

enum { ROWS = 4096 };

static void add_rows(size_t first, size_t rows) {
    for (size_t i = first * DIM; i < (first + rows) * DIM; i++)
        sum[i] = x[i] + table_weight[i];
}
static void normalize_rows(size_t first, size_t rows) {
    layernorm_forward(out + first * DIM, statistics[0] + first, statistics[1] + first,
                      sum + first * DIM, x, x + DIM, rows, DIM, 1e-5f);
}
static void add_then_normalize(void) {
    add_rows(0, ROWS);
    normalize_rows(0, ROWS);
}
static void add_and_normalize(void) {
    for (size_t r = 0; r < ROWS; r += 8) {
        add_rows(r, 8);
        normalize_rows(r, 8);
    }
}

static const Tip tips[] = {
    {"GELU_by_table", {gelu_by_formula, gelu_by_table}},
    {"rows_met_only", {update_all_rows, update_rows_met}},
    {"sum_and_norm_fused", {add_then_normalize, add_and_normalize}}};
enum { TIPS = sizeof tips / sizeof *tips };

static float *numbers(size_t n) {
    float *all = checked_aligned_alloc(n, sizeof *all);
    for (size_t i = 0; i < n; i++) all[i] = (float)(i * 7 % 8191) * 0x1p-10f - 4;
    return all;
}

static double table_error(void) {
    float *exact = checked_alloc(ACTIVATIONS, sizeof *exact);
    gelu_tanh_forward(exact, x, ACTIVATIONS);
    gelu_by_table();
    double error = largest_difference(out, exact, ACTIVATIONS);
    free(exact);
    return error;
}

void experiment_tips(const Settings *settings) {
    size_t most = (size_t)VOCAB * DIM;
    float **arrays[] = {&x,          &out, &table_weight,  &table_grad,   &moments[0],
                        &moments[1], &sum, &statistics[0], &statistics[1]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = numbers(most);
    for (size_t i = 0; i < most; i++) moments[1][i] = 1;
    float at[ENTRIES + 2];
    for (size_t i = 0; i < ENTRIES + 2; i++)
        at[i] = (float)i * (2.0f * RANGE / ENTRIES) - RANGE;
    gelu_tanh_forward(entries, at, ENTRIES + 2);
    Csv csv = csv_begin(settings->out, "tips", "tip,plain_ms,tip_ms,ratio,error");
    double ratio[TIPS];
    for (size_t i = 0; i < TIPS; i++) {
        double seconds[2];
        timing_work(seconds, tips[i].run, 2, 1, TURNS);
        ratio[i] = seconds[0] / seconds[1];
        double error = i == 0 ? table_error() : 0;
        printf("  %-20s %8.3f ms, with the tip %8.3f ms: %.2f times as fast\n",
               tips[i].name, 1e3 * seconds[0], 1e3 * seconds[1], ratio[i]);
        csv_row(&csv, "%s,%.4g,%.4g,%.3g,%.2g", tips[i].name, 1e3 * seconds[0],
                1e3 * seconds[1], ratio[i], error);
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    claim(ratio[1] > 5, "the rows met only: %.0f times as fast (above 5)", ratio[1]);
    claim(table_error() < 1e-5, "GELU by table is within %.1g of the formula (1e-5)",
          table_error());
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(*arrays[i]);
}
