/* The final norm by way of its Layer, and the states in an array of our own, of which
 * the caller gets a copy. */
#include "10-gpt2/gpt2_forward.h"

#include <stdlib.h>
#include <string.h>

#include "05-residual-blocks/dropout_layer.h"
#include "06-embeddings/embedding_layer.h"
#include "base/memory.h"

Tensor *gpt2_forward(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    size_t n = model->config.n_layer, shape[2] = {input->batch, input->length};
    Tensor **states = checked_alloc(n + 1, sizeof *states);
    states[0] = embedding(t, model->wte, input->tokens, 2, shape, NO_PADDING);
    if (model->wpe) {
        Tensor *places =
            embedding(t, model->wpe, input->positions, 2, shape, NO_PADDING);
        states[0] = tape_add(t, states[0], places);
    }
    if (model->config.embd_dropout > 0)
        states[0] = dropout(t, states[0], model->config.embd_dropout);
    for (size_t l = 0; l < n; l++) {
        Layer attention = attention_layer(&model->blocks[l].attn);
        if (input->attention) attention = input->attention[l];
        states[l + 1] = block_forward(t, &model->blocks[l], attention, states[l]);
    }
    Tensor *last = states[n];
    if (input->hidden) memcpy(input->hidden, states, (n + 1) * sizeof *states);
    free(states);
    return layer_forward(t, norm_layer(&model->ln_f), last);
}
