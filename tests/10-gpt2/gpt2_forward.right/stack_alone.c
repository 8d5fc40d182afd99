/* Embeddings and the stack of blocks are functions of their own. */
#include "10-gpt2/gpt2_forward.h"

#include "05-residual-blocks/dropout_layer.h"
#include "06-embeddings/embedding_layer.h"

static Tensor *embeddings(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    const size_t shape[] = {input->batch, input->length};
    Tensor *sum = embedding(t, model->wte, input->tokens, 2, shape, NO_PADDING);
    if (model->wpe != NULL) {
        Tensor *places =
            embedding(t, model->wpe, input->positions, 2, shape, NO_PADDING);
        sum = tape_add(t, sum, places);
    }
    return dropout(t, sum, model->config.embd_dropout);
}

static void keep(const Gpt2Input *input, size_t i, Tensor *x) {
    if (input->hidden != NULL) input->hidden[i] = x;
}

static Tensor *stack(Tape *t, const Gpt2 *model, const Gpt2Input *input, Tensor *x) {
    keep(input, 0, x);
    for (size_t l = 1; l <= model->config.n_layer; l++) {
        const Block *block = model->blocks + l - 1;
        if (input->attention != NULL) {
            x = block_forward(t, block, input->attention[l - 1], x);
        } else {
            x = block_forward(t, block, attention_layer(&block->attn), x);
        }
        keep(input, l, x);
    }
    return x;
}

Tensor *gpt2_forward(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    return norm(t, &model->ln_f, stack(t, model, input, embeddings(t, model, input)));
}
