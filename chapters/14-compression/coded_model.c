/* Coding a model: see coded_model.h. Files are in coded_file.c. */
#include "14-compression/coded_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gguf_model.h"
#include "base/memory.h"
#include "program/progress.h"

bool is_coded(const Param *param) {
    return param->tensor->ndim == 2 && strcmp(param->name, "wpe.weight") != 0;
}

float *coded_matrix(const Param *param, const float *moments, Matrix *m) {
    Weight w = tensor_weight(param->tensor);
    if (gguf_is_transposed(param)) w = weight_transpose(&w);
    float *floats = checked_alloc(size_mul(w.rows, w.cols), sizeof *floats);
    weight_to_floats(floats, &w);
    *m = (Matrix){.data = floats, .rows = w.rows, .cols = w.cols, .moments = moments};
    return floats;
}

Coded coded_begin(Gpt2 *model) {
    size_t n = model->params.n;
    Coded coded = {.model = model,
                   .weights = checked_alloc(n, sizeof *coded.weights),
                   .before = checked_alloc(n, sizeof(Weight *)),
                   .head = model->head};
    model->head = (Weight){0};
    for (size_t i = 0; i < n; i++)
        coded.before[i] = model->params.items[i].tensor->stored;
    return coded;
}

/* The floats, or what else the parameter was before. */
static void undo(Coded *coded, size_t i) {
    Tensor *x = coded->model->params.items[i].tensor;
    if (!coded->weights[i].data) return;
    free((void *)(uintptr_t)x->stored);
    free((void *)(uintptr_t)coded->weights[i].data);
    x->stored = coded->before[i];
    coded->weights[i].data = NULL;
}

double code_param(Coded *coded, size_t i, const Codec *codec, double value,
                  const Calibration *calibration) {
    Param *param = &coded->model->params.items[i];
    undo(coded, i);
    Matrix m;
    float *floats =
        coded_matrix(param, calibration ? calibration->moments[i] : NULL, &m);
    Weight w = codec_encode(codec, value, &m);
    double error = codec_error(&w, &m);
    free(floats);
    coded->weights[i] = w;
    if (gguf_is_transposed(param)) w = weight_transpose(&w);
    params_store(param, &w);
    return error;
}

void report_begin(FILE *report) {
    if (report)
        fprintf(report, "%-24s %-11s %8s %10s %12s %8s\n", "matrix", "type", "bits",
                "rel. error", "bytes", "saved");
}

void report_matrix(FILE *report, const Coded *coded, size_t i, double error) {
    const Weight *w = &coded->weights[i];
    if (report)
        fprintf(report, "%-24s %-11s %8.3f %10.5f %12zu %6.1f %%\n",
                coded->model->params.items[i].name, w->type->name, codec_bits(w), error,
                weight_bytes(w), 100 * (1 - codec_bits(w) / 32));
}

void report_end(FILE *report, const Coded *coded) {
    size_t floats, bytes = coded_bytes(coded, &floats);
    double share = (double)bytes / (double)floats;
    if (report)
        fprintf(report, "%-24s %-11s %8.3f %10s %12zu %6.1f %%\n", "together", "",
                32 * share, "", bytes, 100 * (1 - share));
}

void code_model(Coded *coded, const Codec *codec, double value,
                const Calibration *calibration, FILE *report) {
    const Params *params = &coded->model->params;
    report_begin(report);
    Progress bar = progress_begin("coding", params->n);
    for (size_t i = 0; i < params->n; i++) {
        progress_update(&bar, i, "%s", params->items[i].name);
        if (!is_coded(&params->items[i])) continue;
        bool table = params->items[i].tensor == coded->model->wte;
        double own = table && coded->table_value > 0 ? coded->table_value : value;
        report_matrix(report, coded, i, code_param(coded, i, codec, own, calibration));
    }
    progress_end(&bar);
    report_end(report, coded);
}

size_t coded_bytes(const Coded *coded, size_t *as_floats) {
    size_t bytes = 0;
    *as_floats = 0;
    for (size_t i = 0; i < coded->model->params.n; i++) {
        const Weight *w = &coded->weights[i];
        if (!w->data) continue;
        bytes += weight_bytes(w);
        *as_floats += w->rows * w->cols * sizeof(float);
    }
    return bytes;
}

void coded_undo(Coded *coded) {
    for (size_t i = 0; i < coded->model->params.n; i++) undo(coded, i);
    coded->model->head = coded->head;
    free(coded->weights);
    free(coded->before);
    *coded = (Coded){0};
}
