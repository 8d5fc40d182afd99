/* One matrix alone is coded: what that costs, by kind and depth; and a mixture that
 * gives each matrix the codec that it is worth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/measure.h"
#include "14-compression/experiments/models.h"
#include "14-compression/mixed.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "base/memory.h"
#include "program/progress.h"

/* Codecs are chosen on some windows, and judged on others. */
enum { CHOOSE = 32, JUDGE = 64, CALIBRATION = 8192 };

static const char *const codecs[] = {"q8_0", "gptq4", "gptq3", "kmeans:2"};
enum { CODECS = sizeof codecs / sizeof *codecs, FOUR_BITS = 1, THREE_BITS };

/* The cost of coding matrix i alone with each codec, in divergence: the loss of so
 * short a text is noisier. */
static Sensitivity measure_alone(Csv *csv, const TextModel *m, size_t i,
                                 const Calibration *calibration) {
    const Params *params = &m->model->params;
    Reference reference = reference_of(m, CHOOSE, 0);
    Sensitivity s = {.n_params = params->n,
                     .n_codecs = CODECS,
                     .codecs = checked_alloc(CODECS, sizeof(Codec *)),
                     .added = checked_alloc(params->n * CODECS, sizeof(double)),
                     .bytes = checked_alloc(params->n * CODECS, sizeof(size_t))};
    Progress bar = progress_begin(model_name(i), params->n);
    for (size_t p = 0; p < params->n; p++) {
        progress_update(&bar, p, "%s", params->items[p].name);
        for (size_t c = 0; c < CODECS && is_coded(&params->items[p]); c++) {
            Coded coded = coded_begin(m->model);
            double error;
            s.bytes[p * CODECS + c] =
                form_param(&coded, p, codecs[c], calibration, &error);
            Change change = change_from(&reference, m->model);
            s.added[p * CODECS + c] = change.kl;
            csv_row(csv, "%s,%s,%s,%zu,%.6g,%.6g,%.6g", model_name(i),
                    params->items[p].name, codecs[c], s.bytes[p * CODECS + c], error,
                    change.added, change.kl);
            coded_undo(&coded);
        }
    }
    progress_end(&bar);
    reference_free(&reference);
    return s;
}

/* Codes every matrix with its choice. */
static Change judge(const TextModel *m, const Reference *r, const size_t choice[],
                    const Calibration *calibration) {
    Coded coded = coded_begin(m->model);
    for (size_t p = 0; p < m->model->params.n; p++) {
        if (is_coded(&m->model->params.items[p]))
            form_param(&coded, p, codecs[choice[p]], calibration, NULL);
    }
    Change change = change_from(r, m->model);
    coded_undo(&coded);
    return change;
}

/* Bytes, and the sum of what the choices cost one by one. */
static size_t add_up(double *alone, const Sensitivity *s, const size_t choice[]) {
    size_t bytes = 0;
    *alone = 0;
    for (size_t p = 0; p < s->n_params; p++) {
        bytes += s->bytes[p * CODECS + choice[p]];
        *alone += s->added[p * CODECS + choice[p]];
    }
    return bytes;
}

/* The mixture of no more bytes than codec c for all: its divergence, in that of c. */
static double compare(Csv *csv, const TextModel *m, size_t i, const Reference *r,
                      const Sensitivity *s, size_t c, const Calibration *calibration) {
    const Params *params = &m->model->params;
    size_t *same = checked_alloc(params->n, sizeof *same),
           *mixed = checked_alloc(params->n, sizeof *mixed);
    double alone, mixed_alone, weights = 0;
    for (size_t p = 0; p < params->n; p++) {
        same[p] = c;
        if (is_coded(&params->items[p]))
            weights += (double)tensor_size(params->items[p].tensor);
    }
    size_t bytes = add_up(&alone, s, same);
    mixed_choose(mixed, s, params, 8 * (double)bytes / weights);
    size_t mixed_bytes = add_up(&mixed_alone, s, mixed);
    Change all = judge(m, r, same, calibration),
           mixture = judge(m, r, mixed, calibration);
    csv_row(csv, "%s,%s,%zu,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", model_name(i),
            codecs[c], bytes, mixed_bytes, alone, all.kl, all.percent, mixed_alone,
            mixture.kl, mixture.percent, mixture.kl / all.kl);
    printf("%-8s bytes of %s: divergence %.5f, one by one %.5f; mixture %.5f, one by "
           "one %.5f\n",
           model_name(i), codecs[c], all.kl, alone, mixture.kl, mixed_alone);
    for (size_t p = 0; p < params->n && i == LARGE_MODEL; p++) {
        if (is_coded(&params->items[p]))
            printf("  %-24s %s\n", params->items[p].name, codecs[mixed[p]]);
    }
    free(same);
    free(mixed);
    return mixture.kl / all.kl;
}

/* The token table's part of what 3 bits cost, all matrices one by one. */
static double share_of_table(const Sensitivity *s, const TextModel *m) {
    double all = 0, table = 0;
    for (size_t p = 0; p < s->n_params; p++) {
        double kl = s->added[p * CODECS + THREE_BITS];
        all += kl;
        if (m->model->params.items[p].tensor == m->model->wte) table = kl;
    }
    return table / all;
}

void experiment_sensitivity(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "sensitivity",
                        "model,matrix,codec,bytes,error,added,kl");
    Csv mixtures = csv_begin(settings->out, "mixture",
                             "model,codec,bytes,mixed_bytes,alone_kl,kl,percent,mixed_"
                             "alone_kl,mixed_kl,mixed_percent,ratio");
    double worst = 0, table = 1;
    size_t models = settings->quick ? 1 : MODELS;
    for (size_t i = 0; i < models; i++) {
        TextModel m = kept_model(i, settings->seed, settings->quick);
        Calibration calibration = calibrate_on_training(
            &m, settings->seed + (i < LARGE_MODEL ? i : 0), CALIBRATION);
        Sensitivity s = measure_alone(&csv, &m, i, &calibration);
        table = smaller(table, share_of_table(&s, &m));
        Reference reference = reference_of(&m, JUDGE, CHOOSE);
        for (size_t c = FOUR_BITS; c <= THREE_BITS; c++)
            worst = larger(worst,
                           compare(&mixtures, &m, i, &reference, &s, c, &calibration));
        reference_free(&reference);
        sensitivity_free(&s);
        calibration_free(&calibration);
        text_model_free(&m);
    }
    csv_commit(&csv);
    csv_commit(&mixtures);
    claim(table > 0.5,
          "the token table alone has %.2f or more of what 3 bits cost (half)", table);
    claim(worst <= 1,
          "a mixture of no more bytes has at most %.2f of the divergence of one codec "
          "for all",
          worst);
}
