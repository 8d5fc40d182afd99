/* The cost of coding a published model, and its inputs: see experiments.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "12-generation/trained_models.h"
#include "14-compression/calibration.h"
#include "14-compression/coded_model.h"
#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/published.h"
#include "base/memory.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/claim.h"

enum { WINDOW = 512, CALIBRATED = 8, JUDGED = 4, ROWS = 32 };

/* --- the inputs of the matrices --- */

/* The root mean square of the largest input channel over that of the median one, and
 * over that of all. */
static void outliers(const float *moments, size_t in, double *median, double *all) {
    double *squares = checked_alloc(in, sizeof *squares), sum = 0;
    for (size_t k = 0; k < in; k++) {
        squares[k] = (double)moments[k * in + k];
        sum += squares[k] / (double)in;
    }
    double middle = quantile(squares, in, 0.5), largest = quantile(squares, in, 1);
    *median = sqrt(largest / middle);
    *all = sqrt(largest / sum);
    free(squares);
}

static void write_outliers(const Published *p, const Calibration *c,
                           const Settings *settings) {
    const Params *params = &p->model->params;
    Csv csv = csv_begin(settings->out, "published-outliers",
                        "layer,matrix,over_median,over_all");
    double largest = 0;
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        if (!c->moments[i] || x == p->model->wte) continue;
        int layer = 0, read = 0;
        double median, all;
        if (sscanf(params->items[i].name, "h.%d.%n", &layer, &read) != 1) continue;
        outliers(c->moments[i], x->shape[0], &median, &all);
        csv_row(&csv, "%d,%s,%.5g,%.5g", layer, params->items[i].name + read, median,
                all);
        largest = fmax(largest, median);
    }
    csv_commit(&csv);
    claim(largest > 20, "the largest channel is %.0f times the median one", largest);
}

/* --- predictions with and without --- */

typedef struct {
    const int *tokens; /* [JUDGED * WINDOW + 1] */
    size_t windows;
    float *hidden; /* [windows * WINDOW, d_model] of the file's own weights */
    Weight table;  /* and its head */
} Judged;

static void run_hidden(float *hidden, const Gpt2 *model, const int *tokens) {
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = WINDOW};
    const Tensor *x = gpt2_hidden(&t, model, &input);
    for (size_t i = 0; i < tensor_size(x); i++) hidden[i] = x->data[i];
    tape_free(&t);
}

typedef struct {
    double loss, kl, changed;
} Change;

/* One position: the reference's logits, and those to compare. */
static void add_row(Change *c, const float *was, const float *is, size_t n, int target,
                    double share) {
    double was_shift = log_probability(was, n, 0) - (double)was[0],
           is_shift = log_probability(is, n, 0) - (double)is[0], kl = 0;
    size_t was_best = 0, is_best = 0;
    for (size_t v = 0; v < n; v++) {
        double ln_p = (double)was[v] + was_shift, ln_q = (double)is[v] + is_shift;
        kl += (double)exp_float((float)ln_p) * (ln_p - ln_q);
        if (was[v] > was[was_best]) was_best = v;
        if (is[v] > is[is_best]) is_best = v;
    }
    c->kl += share * kl;
    c->loss -= share * ((double)is[target] + is_shift);
    c->changed += share * (was_best != is_best);
}

static Change change_of(const Gpt2 *model, const Judged *j) {
    size_t width = model->config.block.d_model, n = model->config.n_vocab,
           rows = j->windows * WINDOW;
    float *hidden = checked_alloc(WINDOW * width, sizeof *hidden),
          *was = checked_alloc(ROWS * n, sizeof *was),
          *is = checked_alloc(ROWS * n, sizeof *is);
    Change c = {0, 0, 0};
    for (size_t from = 0; from < rows; from += ROWS) {
        if (from % WINDOW == 0) run_hidden(hidden, model, j->tokens + from);
        weight_multiply_transposed(was, j->hidden + from * width, &j->table, NULL,
                                   ROWS);
        gpt2_head_rows(is, model, hidden + from % WINDOW * width, ROWS);
        for (size_t r = 0; r < ROWS; r++)
            add_row(&c, was + r * n, is + r * n, n, j->tokens[from + r + 1],
                    1 / (double)rows);
    }
    free(hidden);
    free(was);
    free(is);
    return c;
}

/* A codec, for all matrices, for the token table alone, or for all but the table. */
typedef enum { EVERYTHING, TABLE, ALL_BUT_TABLE } Coverage;
typedef struct {
    const char *name, *codec;
    Coverage coverage;
} Form;

static const Form forms[] = {
    {"as filed", NULL, EVERYTHING},      {"q8_0", "q8_0", EVERYTHING},
    {"q4_1", "q4_1", EVERYTHING},        {"q4_0", "q4_0", EVERYTHING},
    {"gptq4", "gptq4", EVERYTHING},      {"q3", "q3", EVERYTHING},
    {"gptq3", "gptq3", EVERYTHING},      {"q4_0-table", "q4_0", TABLE},
    {"q4_0-rest", "q4_0", ALL_BUT_TABLE}};
enum { FORMS = sizeof forms / sizeof *forms };

static void code_form(Coded *coded, const Form *form, const Calibration *calibration) {
    const Params *params = &coded->model->params;
    double value = 0;
    const Codec *codec = codec_find(form->codec, &value);
    for (size_t i = 0; i < params->n; i++) {
        bool table = params->items[i].tensor == coded->model->wte;
        if (!is_coded(&params->items[i])) continue;
        if (form->coverage != EVERYTHING && table != (form->coverage == TABLE))
            continue;
        code_param(coded, i, codec, value, calibration);
    }
}

static double bits_as_filed(const Params *params) {
    size_t bytes = 0, numbers = 0;
    for (size_t i = 0; i < params->n; i++) {
        if (!is_coded(&params->items[i])) continue;
        Weight w = tensor_weight(params->items[i].tensor);
        bytes += weight_bytes(&w);
        numbers += w.rows * w.cols;
    }
    return 8 * (double)bytes / (double)numbers;
}

static void measure(const Published *p, const Judged *j, const Calibration *calibration,
                    const Settings *settings) {
    Csv csv = csv_begin(settings->out, "published-codecs",
                        "codec,bits,loss,perplexity,percent,kl,changed");
    double loss[FORMS], kl[FORMS];
    for (size_t f = 0; f < FORMS; f++) {
        Coded coded = coded_begin(p->model);
        double bits = bits_as_filed(&p->model->params);
        if (forms[f].codec) {
            code_form(&coded, &forms[f], calibration);
            size_t floats, bytes = coded_bytes(&coded, &floats);
            bits = 32 * (double)bytes / (double)floats;
        }
        Change c = change_of(p->model, j);
        coded_undo(&coded);
        loss[f] = c.loss;
        kl[f] = c.kl;
        double percent = 100 * (exp(loss[f] - loss[0]) - 1);
        printf("%-10s %5.2f bits, loss %.4f, perplexity %6.2f (%+.2f %%), KL %.5f, "
               "another "
               "likeliest token %.3f\n",
               forms[f].name, bits, c.loss, exp(c.loss), percent, c.kl, c.changed);
        csv_row(&csv, "%s,%.4g,%.6g,%.5g,%.4g,%.4g,%.4g", forms[f].name, bits, c.loss,
                exp(c.loss), percent, c.kl, c.changed);
    }
    csv_commit(&csv);
    claim(kl[0] < 1e-6, "the file's own weights differ from themselves by %.1g nats",
          kl[0]);
    claim(kl[1] < kl[4] && kl[4] < kl[3],
          "KL %.5f with q8_0, %.4f with GPTQ, %.4f with q4_0", kl[1], kl[4], kl[3]);
    claim(kl[7] > 0.1 * kl[3] && kl[8] > kl[7],
          "of q4_0's, the token table alone makes %.4f, the other matrices %.4f", kl[7],
          kl[8]);
}

void experiment_published_codecs(const Settings *settings) {
    Published p;
    if (!published_begin(&p, (CALIBRATED + JUDGED) * WINDOW + 1)) return;
    Gpt2 *model = p.model;
    size_t width = model->config.block.d_model, n_ctx = model->config.n_ctx;
    model->config.n_ctx = WINDOW; /* the windows of calibrate */
    Calibration c =
        calibrate(model, p.tokens, (settings->quick ? 1 : CALIBRATED) * WINDOW);
    model->config.n_ctx = n_ctx;
    write_outliers(&p, &c, settings);
    Judged j = {.tokens = p.tokens + CALIBRATED * WINDOW,
                .windows = settings->quick ? 1 : JUDGED,
                .table = tensor_weight(model->head_table)};
    j.hidden = checked_alloc(j.windows * WINDOW * width, sizeof *j.hidden);
    for (size_t w = 0; w < j.windows; w++)
        run_hidden(j.hidden + w * WINDOW * width, model, j.tokens + w * WINDOW);
    measure(&p, &j, &c, settings);
    calibration_free(&c);
    free(j.hidden);
    published_end(&p);
}
