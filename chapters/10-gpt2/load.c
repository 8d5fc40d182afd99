/* Models from files: see load.h. */
#include "10-gpt2/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool is_same(const Weight *a, const Weight *b) {
    float *row_a = checked_alloc(a->cols, sizeof *row_a),
          *row_b = checked_alloc(b->cols, sizeof *row_b);
    bool same = true;
    for (size_t r = 0; r < a->rows && same; r++) {
        weight_row(row_a, a, r);
        weight_row(row_b, b, r);
        same = memcmp(row_a, row_b, a->cols * sizeof *row_a) == 0;
    }
    free(row_a);
    free(row_b);
    return same;
}

/* A head that is stored again must be the token table. In a GGUF file it may be the
 * table in another type, as llama.cpp's quantizer writes it: then nothing can be
 * compared. */
static void take_head(Gpt2 *model, ModelFile *file, const ModelFormat *format) {
    const FileTensor *t = model_file_find(file, format->head);
    if (model->config.own_head || !t) return;
    Weight head = model_file_weight(file, format->head, model->wte, false),
           table = format->weight(file, model, &model->params.items[0]);
    if (!table.type) return;
    if (file->gguf && head.type != table.type) {
        if (model->params.mode == PARAMS_MAPPED) model->head = head;
    } else if (!is_same(&head, &table)) {
        file_tensor_die(
            t, "it differs from the token table; a head of its own is not supported");
    }
}

//> load
Gpt2 *gpt2_load_file(ModelFile *file, const ModelFormat *format, ParamsMode mode) {
    Gpt2Config config = format->config(file);
    model_file_expect_layers(file, config.n_layer);
    Gpt2 *model = gpt2_create(&config, PARAMS_MAPPED, NULL); /* shapes, no memory */
    Params *params = &model->params;
    params->mode = mode; /* from here on params_take decides */
    for (size_t i = 0; i < params->n; i++) {
        Weight numbers = format->weight(file, model, &params->items[i]);
        if (numbers.type) params_take(params, &params->items[i], &numbers);
    }
    take_head(model, file, format);
    model_file_expect_complete(file);
    if (mode == PARAMS_TRAIN) model_file_expect_finite(file);
    if (mode == PARAMS_MAPPED)
        model->file = file;
    else
        model_file_close(file);
    return model;
}
//< load
