/* The cost of rounding the inputs, too: Q8_0 and Q4_0 multiplied with floats, and in
 * whole numbers with inputs of 8 bits. And how much larger than the others the largest
 * input channel of a matrix is, which decides that cost. */
#include <math.h>
#include <stdio.h>

#include "14-compression/block_products.h"
#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/measure.h"
#include "14-compression/experiments/models.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { WINDOWS = 64, CALIBRATION = 8192 };

/* The worst over models and codecs. */
typedef struct {
    double q8_kl, q4_ratio, outlier;
} Worst;

static void write_row(Csv *csv, size_t i, const char *codec, const char *product,
                      const Change *c) {
    csv_row(csv, "%s,%s,%s,%.6g,%.6g,%.6g", model_name(i), codec, product, c->percent,
            c->kl, c->changed);
}

static void measure_products(Csv *csv, Worst *worst, const TextModel *m, size_t i) {
    static const char *const codecs[] = {"q8_0", "q4_0"};
    Reference reference = reference_of(m, WINDOWS, 0);
    for (size_t k = 0; k < sizeof codecs / sizeof *codecs; k++) {
        double value;
        const Codec *codec = codec_find(codecs[k], &value);
        Coded coded = coded_begin(m->model);
        code_model(&coded, codec, value, NULL, NULL);
        Change floats = change_from(&reference, m->model);
        use_block_products(m->model, true);
        Change whole = change_from(&reference, m->model);
        coded_undo(&coded);
        write_row(csv, i, codecs[k], "float", &floats);
        write_row(csv, i, codecs[k], "integer", &whole);
        if (k == 0)
            worst->q8_kl = larger(worst->q8_kl, whole.kl);
        else
            worst->q4_ratio = larger(worst->q4_ratio, whole.kl / floats.kl);
    }
    reference_free(&reference);
}

/* The root of the largest mean square of an input channel over the mean of all. The
 * token table is left out: its moments are not those of inputs alone. */
static void measure_outliers(Csv *csv, Worst *worst, const TextModel *m, size_t i,
                             uint64_t seed) {
    const Params *params = &m->model->params;
    Calibration calibration = calibrate_on_training(m, seed, CALIBRATION);
    for (size_t p = 0; p < params->n; p++) {
        const Tensor *x = params->items[p].tensor;
        const float *h = calibration.moments[p];
        if (!h || x == m->model->wte) continue;
        size_t in = x->shape[0];
        double most = 0, mean = 0;
        for (size_t k = 0; k < in; k++) {
            most = larger(most, (double)h[k * in + k]);
            mean += (double)h[k * in + k] / (double)in;
        }
        double ratio = sqrt(most / mean);
        worst->outlier = larger(worst->outlier, ratio);
        csv_row(csv, "%s,%s,%.6g", model_name(i), params->items[p].name, ratio);
    }
    calibration_free(&calibration);
}

void experiment_integer(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "integer",
                        "model,codec,product,percent,kl,changed"),
        outliers = csv_begin(settings->out, "outliers", "model,matrix,ratio");
    Worst worst = {0};
    size_t models = settings->quick ? 1 : SMALL_MODELS;
    for (size_t i = 0; i < models; i++) {
        TextModel m = kept_model(i, settings->seed, settings->quick);
        measure_products(&csv, &worst, &m, i);
        measure_outliers(&outliers, &worst, &m, i, settings->seed + i);
        text_model_free(&m);
    }
    csv_commit(&csv);
    csv_commit(&outliers);
    claim(worst.q8_kl < 1e-3,
          "Q8_0 in whole numbers: a divergence of %.2g nats or less (1e-3)",
          worst.q8_kl);
    claim(worst.q4_ratio < 1.5,
          "Q4_0 in whole numbers: at most %.2f times the divergence with floats (1.5)",
          worst.q4_ratio);
    claim(worst.outlier < 20,
          "the largest input channel is %.1f times the mean one or less (20)",
          worst.outlier);
}
