/* A codec for each matrix: see mixed.h. */
#include "14-compression/mixed.h"

#include <math.h>
#include <stdlib.h>

#include "10-gpt2/eval.h"
#include "base/memory.h"
#include "program/progress.h"

static double loss_of(const Gpt2 *model, const int *tokens, size_t n) {
    Evaluation e = gpt2_evaluate(model, tokens, n, model->config.n_ctx);
    return evaluation_loss(&e);
}

Sensitivity sensitivity_measure(Gpt2 *model, const char *const *names, size_t n_codecs,
                                const Calibration *calibration, const int *tokens,
                                size_t n) {
    size_t n_params = model->params.n;
    Sensitivity s = {
        .n_params = n_params,
        .n_codecs = n_codecs,
        .codecs = checked_alloc(n_codecs, sizeof(Codec *)),
        .calibration = calibration,
        .loss = loss_of(model, tokens, n),
        .added = checked_alloc(size_mul(n_params, n_codecs), sizeof(double)),
        .bytes = checked_alloc(size_mul(n_params, n_codecs), sizeof(size_t))};
    double unused;
    for (size_t c = 0; c < n_codecs; c++) s.codecs[c] = codec_find(names[c], &unused);
    Progress bar = progress_begin("one matrix at a time", n_params * n_codecs);
    for (size_t i = 0; i < n_params; i++) {
        if (!is_coded(&model->params.items[i])) continue;
        for (size_t c = 0; c < n_codecs; c++) {
            Coded coded = coded_begin(model);
            code_param(&coded, i, s.codecs[c], s.codecs[c]->default_value, calibration);
            s.bytes[i * n_codecs + c] = weight_bytes(&coded.weights[i]);
            s.added[i * n_codecs + c] = loss_of(model, tokens, n) - s.loss;
            coded_undo(&coded);
            progress_update(&bar, i * n_codecs + c, "%s", model->params.items[i].name);
        }
    }
    progress_end(&bar);
    return s;
}

void sensitivity_free(Sensitivity *s) {
    free(s->codecs);
    free(s->added);
    free(s->bytes);
    *s = (Sensitivity){0};
}

/* The best step down from choice [n_params]: to which codec of which parameter; false
 * if there is none. Chance may make a loss smaller: such a step is the best of all. */
static bool best_step(size_t *param, size_t *codec, const size_t *choice,
                      const Sensitivity *s) {
    double best = INFINITY;
    for (size_t i = 0; i < s->n_params; i++) {
        const double *added = s->added + i * s->n_codecs;
        const size_t *bytes = s->bytes + i * s->n_codecs;
        for (size_t c = choice[i] + 1; c < s->n_codecs; c++) {
            /* a codec that fell back to a larger one */
            if (bytes[c] >= bytes[choice[i]]) continue;
            double price =
                (added[c] - added[choice[i]]) / (double)(bytes[choice[i]] - bytes[c]);
            if (price < best) {
                best = price;
                *param = i;
                *codec = c;
            }
        }
    }
    return best < INFINITY;
}

void mixed_choose(size_t *choice, const Sensitivity *s, const Params *params,
                  double bits) {
    double weights = 0, bytes = 0;
    for (size_t i = 0; i < s->n_params; i++) {
        choice[i] = 0;
        bytes += (double)s->bytes[i * s->n_codecs];
        if (is_coded(&params->items[i]))
            weights += (double)tensor_size(params->items[i].tensor);
    }
    size_t i, c;
    while (8 * bytes > bits * weights && best_step(&i, &c, choice, s)) {
        bytes -= (double)(s->bytes[i * s->n_codecs + choice[i]] -
                          s->bytes[i * s->n_codecs + c]);
        choice[i] = c;
    }
}

void mixed_code(Coded *coded, const Sensitivity *s, const size_t *choice,
                FILE *report) {
    report_begin(report);
    for (size_t i = 0; i < s->n_params; i++) {
        if (!is_coded(&coded->model->params.items[i])) continue;
        const Codec *codec = s->codecs[choice[i]];
        report_matrix(
            report, coded, i,
            code_param(coded, i, codec, codec->default_value, s->calibration));
    }
    report_end(report, coded);
}
