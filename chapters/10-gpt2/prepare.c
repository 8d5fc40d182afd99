/* A model laid out for writing: see gpt2_prepare in gpt2.h. */
#include "10-gpt2/gpt2.h"
#include "files/mapped_file.h"
#include "weights/weight_panels.h"

static void release_files(Gpt2 *model) {
    for (size_t i = 0; i < model->n_files; i++)
        file_map_release(model->files[i].map, model->files[i].map_bytes);
    if (model->gguf) file_map_release(model->gguf->map, model->gguf->map_bytes);
}

void gpt2_prepare(Gpt2 *model) {
    for (size_t i = 0; i < model->params.n; i++) {
        Param *p = &model->params.items[i];
        bool is_table = p->tensor == model->wte || p->tensor == model->wpe ||
                        p->tensor == model->head_table; /* read by rows */
        if (p->tensor->ndim == 2 && !is_table) params_prepare(p);
    }
    Weight head = model->head.type ? model->head : tensor_weight(model->head_table),
           panels = weight_panels(&head);
    if (panels.type) {
        model->head = panels;
        model->head_prepared = true;
    }
    release_files(model);
}
