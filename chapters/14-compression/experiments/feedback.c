/* Error feedback: how much of what rounding to the nearest costs GPTQ takes back, by
 * the text that it saw. */
#include <math.h>
#include <stdio.h>

#include "14-compression/experiments/experiments.h"
#include "14-compression/experiments/measure.h"
#include "14-compression/experiments/models.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { WINDOWS = 64, LENGTHS = 4, WIDTHS = 2 };
static const size_t lengths[LENGTHS] = {64, 512, 4096, 32768}; /* tokens */
static const struct {
    const char *nearest, *fed;
    unsigned bits;
} widths[WIDTHS] = {{"q4_0", "gptq4", 4}, {"q3", "gptq3", 3}};

static Change change_with(const TextModel *m, const Reference *r, const char *codec,
                          const Calibration *c) {
    Coded coded = coded_begin(m->model);
    form_model(&coded, &(Form){"", codec, NULL}, c);
    Change change = change_from(r, m->model);
    coded_undo(&coded);
    return change;
}

/* The share of the divergence that is gone with the most text; the least over both
 * widths. */
static double closed(Csv *csv, const TextModel *m, size_t i, uint64_t seed) {
    Reference reference = reference_of(m, WINDOWS, 0);
    Change nearest[WIDTHS];
    double least = INFINITY;
    for (size_t w = 0; w < WIDTHS; w++)
        nearest[w] = change_with(m, &reference, widths[w].nearest, NULL);
    for (size_t l = 0; l < LENGTHS; l++) {
        Calibration calibration = calibrate_on_training(m, seed, lengths[l]);
        for (size_t w = 0; w < WIDTHS; w++) {
            Change fed = change_with(m, &reference, widths[w].fed, &calibration);
            double share = 1 - fed.kl / nearest[w].kl;
            csv_row(csv, "%s,%u,%zu,%.6g,%.6g,%.6g,%.6g,%.6g", model_name(i),
                    widths[w].bits, lengths[l], nearest[w].percent, fed.percent,
                    nearest[w].kl, fed.kl, share);
            printf("%-8s %4u %8zu %10.2f %10.2f %10.5f %10.5f %8.2f\n", model_name(i),
                   widths[w].bits, lengths[l], nearest[w].percent, fed.percent,
                   nearest[w].kl, fed.kl, share);
            if (l == LENGTHS - 1) least = smaller(least, share);
        }
        calibration_free(&calibration);
    }
    reference_free(&reference);
    return least;
}

void experiment_feedback(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "feedback",
                        "model,bits,tokens,nearest,fed,nearest_kl,fed_kl,closed");
    double least = INFINITY, last = 0;
    printf("%-8s %4s %8s %10s %10s %10s %10s %8s\n", "model", "bits", "tokens",
           "nearest %", "GPTQ %", "nearest KL", "GPTQ KL", "closed");
    size_t models = settings->quick ? 1 : MODELS;
    for (size_t i = 0; i < models; i++) {
        TextModel m = kept_model(i, settings->seed, settings->quick);
        last = closed(&csv, &m, i, settings->seed + (i < LARGE_MODEL ? i : 0));
        least = smaller(least, last);
        text_model_free(&m);
    }
    csv_commit(&csv);
    claim(least > 1.0 / 3,
          "GPTQ with %zu tokens closes %.2f or more of the divergence of rounding (a "
          "third)",
          lengths[LENGTHS - 1], least);
    claim(last > 0.5, "in the largest model %.2f or more (half)", last);
}
