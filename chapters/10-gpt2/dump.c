/* Everything a pass computes, in a file: see dump.h. */
#include "10-gpt2/dump.h"

#include <math.h>
#include <stdio.h>

#include "00-tensors/softmax_layer.h"
#include "checkpoints/safetensors.h"

static void add(SafetensorsWriter *w, const char *kind, size_t l, const Tensor *x,
                int axes) {
    char name[64];
    snprintf(name, sizeof name, "%s.%zu", kind, l);
    safetensors_add(w, name, DTYPE_F32, axes, x->shape + x->ndim - axes, x->data);
}

DumpResult gpt2_dump(Gpt2 *model, const Gpt2Input *row, const int *targets, bool grad,
                     const char *path) {
    size_t n_layer = model->config.n_layer;
    Tape t = tape_for_inference();
    t.recording = grad; /* gradients, but no dropout */
    Tensor **hidden = tape_alloc(&t, n_layer + 1, sizeof *hidden),
           **weights = tape_alloc(&t, n_layer, sizeof *weights);
    Gpt2Input input = *row;
    input.hidden = hidden;
    Tensor *normed = gpt2_hidden_with_weights(&t, model, &input, weights);
    Tensor *logits = gpt2_head(&t, model, normed);
    Tensor *loss = targets ? cross_entropy(&t, logits, targets) : NULL;
    if (grad) {
        params_zero_grad(&model->params);
        tape_backward(&t, loss);
    }
    if (path) {
        SafetensorsWriter *w = safetensors_begin(path);
        safetensors_add(w, "logits", DTYPE_F32, 2, logits->shape + 1, logits->data);
        for (size_t l = 0; l <= n_layer; l++) add(w, "hidden", l, hidden[l], 2);
        safetensors_add(w, "hidden_norm", DTYPE_F32, 2, normed->shape + 1,
                        normed->data);
        for (size_t l = 0; l < n_layer; l++) add(w, "att", l, weights[l], 3);
        if (loss) safetensors_add(w, "loss", DTYPE_F32, 0, NULL, loss->data);
        for (size_t i = 0; grad && i < model->params.n; i++) {
            const Tensor *x = model->params.items[i].tensor;
            char name[300];
            snprintf(name, sizeof name, "grad.%s", model->params.items[i].name);
            safetensors_add(w, name, DTYPE_F32, x->ndim, x->shape, x->grad);
        }
        safetensors_commit(w);
    }
    DumpResult result = {loss ? (double)loss->data[0] : NAN, t.arena.peak};
    tape_free(&t);
    return result;
}
