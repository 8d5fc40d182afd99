/* One matrix alone is coded: what that costs, by kind and depth; and a mixture that gives each matrix the
 * codec that it is worth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/measure.h"
#include "14-compression/experiments/models.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "progress.h"

/* Codecs are chosen on some windows, and judged on others. */
enum { CHOOSE = 32, JUDGE = 64, CALIBRATION = 8192, MOST_MATRICES = 32 };

static const char *const codecs[] = {"q8_0", "gptq4", "gptq3", "kmeans:2"};
enum { CODECS = sizeof codecs / sizeof *codecs, FOUR_BITS = 1, THREE_BITS };

/* What each matrix costs with each codec while all others are floats. */
typedef struct {
    size_t n, param[MOST_MATRICES], bytes[MOST_MATRICES][CODECS];
    double kl[MOST_MATRICES][CODECS];
} Costs;

static void measure_alone(Costs *costs, Csv *csv, const TextModel *m, size_t i,
                          const Calibration *calibration) {
    const Params *params = &m->model->params;
    Reference reference = reference_of(m, CHOOSE, 0);
    Progress bar = progress_begin(model_name(i), params->n);
    costs->n = 0;
    for (size_t p = 0; p < params->n; p++) {
        progress_update(&bar, p, "%s", params->items[p].name);
        if (!is_coded(&params->items[p])) continue;
        size_t k = costs->n++;
        costs->param[k] = p;
        for (size_t c = 0; c < CODECS; c++) {
            Coded coded = coded_begin(m->model);
            double error;
            costs->bytes[k][c] = form_param(&coded, p, codecs[c], calibration, &error);
            Change change = change_from(&reference, m->model);
            costs->kl[k][c] = change.kl;
            csv_row(csv, "%s,%s,%s,%zu,%.6g,%.6g,%.6g", model_name(i), params->items[p].name, codecs[c],
                    costs->bytes[k][c], error, change.added, change.kl);
            coded_undo(&coded);
        }
    }
    progress_end(&bar);
    reference_free(&reference);
}

//> mixture
/* For each matrix the codec of least divergence + price * bytes; returns the bytes. */
static size_t choose(size_t choice[], const Costs *costs, double price) {
    size_t bytes = 0;
    for (size_t k = 0; k < costs->n; k++) {
        choice[k] = 0;
        for (size_t c = 1; c < CODECS; c++) {
            double now = costs->kl[k][c] + price * (double)costs->bytes[k][c],
                   best = costs->kl[k][choice[k]] + price * (double)costs->bytes[k][choice[k]];
            if (now < best) choice[k] = c;
        }
        bytes += costs->bytes[k][choice[k]];
    }
    return bytes;
}

/* The lowest price, to a millionth, at which the bytes are at most so many. */
static void choose_within(size_t choice[], const Costs *costs, size_t most_bytes) {
    double low = 0, high = 1; /* nats a byte */
    while (high - low > 1e-6 * high) {
        double price = (low + high) / 2;
        if (choose(choice, costs, price) > most_bytes)
            low = price;
        else
            high = price;
    }
    choose(choice, costs, high);
}
//< mixture

/* Codes every matrix with its choice. */
static Change judge(const TextModel *m, const Reference *r, const Costs *costs, const size_t choice[],
                    const Calibration *calibration) {
    Coded coded = coded_begin(m->model);
    for (size_t k = 0; k < costs->n; k++)
        form_param(&coded, costs->param[k], codecs[choice[k]], calibration, NULL);
    Change change = change_from(r, m->model);
    coded_undo(&coded);
    return change;
}

/* The mixture of no more bytes than codec c for all: its divergence, in that of c. */
static double compare(Csv *csv, const TextModel *m, size_t i, const Reference *r, const Costs *costs,
                      size_t c, const Calibration *calibration) {
    size_t same[MOST_MATRICES], mixed[MOST_MATRICES], bytes = 0, mixed_bytes = 0;
    double alone = 0;
    for (size_t k = 0; k < costs->n; k++) same[k] = c, bytes += costs->bytes[k][c], alone += costs->kl[k][c];
    choose_within(mixed, costs, bytes);
    for (size_t k = 0; k < costs->n; k++) mixed_bytes += costs->bytes[k][mixed[k]];
    Change all = judge(m, r, costs, same, calibration), mixture = judge(m, r, costs, mixed, calibration);
    csv_row(csv, "%s,%s,%zu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", model_name(i), codecs[c], bytes, mixed_bytes,
            alone, all.kl, all.percent, mixture.kl, mixture.percent, mixture.kl / all.kl);
    printf("%-8s %-6s for all: divergence %.5f, summed up one by one %.5f; mixture: %.5f\n", model_name(i),
           codecs[c], all.kl, alone, mixture.kl);
    for (size_t k = 0; k < costs->n && i == LARGE_MODEL; k++)
        printf("  %-24s %s\n", m->model->params.items[costs->param[k]].name, codecs[mixed[k]]);
    return mixture.kl / all.kl;
}

void experiment_sensitivity(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "14-sensitivity", "model,matrix,codec,bytes,error,added,kl");
    Csv mixtures =
        csv_begin(settings->out, "14-mixture",
                  "model,codec,bytes,mixed_bytes,alone_kl,kl,percent,mixed_kl,mixed_percent,ratio");
    double worst = 0;
    for (size_t i = 0; i < (settings->quick ? 1 : MODELS); i++) {
        TextModel m = kept_model(i, settings->seed, settings->quick);
        Calibration calibration =
            calibrate_on_training(&m, settings->seed + (i < LARGE_MODEL ? i : 0), CALIBRATION);
        Costs costs;
        measure_alone(&costs, &csv, &m, i, &calibration);
        Reference reference = reference_of(&m, JUDGE, CHOOSE);
        for (size_t c = FOUR_BITS; c <= THREE_BITS; c++)
            worst = larger(worst, compare(&mixtures, &m, i, &reference, &costs, c, &calibration));
        reference_free(&reference);
        calibration_free(&calibration);
        text_model_free(&m);
    }
    csv_commit(&csv);
    csv_commit(&mixtures);
    claim(worst <= 1, "a mixture of no more bytes has at most %.2f of the divergence of one codec for all",
          worst);
}
