/* GPT-2, put together. Before you read on: make hint-10 EX=gpt2_forward */
#include "10-gpt2/gpt2_forward.h"

#include "05-residual-blocks/dropout_layer.h"
#include "06-embeddings/embedding_layer.h"

Tensor *gpt2_forward(Tape *t, const Gpt2 *model, const Gpt2Input *input) {
    size_t shape[2] = {input->batch, input->length};
    //> embeddings
    Tensor *x = embedding(t, model->wte, input->tokens, 2, shape, NO_PADDING);
    if (model->wpe) {
        const int *at = input->positions;
        x = tape_add(t, x, embedding(t, model->wpe, at, 2, shape, NO_PADDING));
    }
    //< embeddings
    x = dropout(t, x, model->config.embd_dropout);
    if (input->hidden) input->hidden[0] = x;

    //> blocks
    for (size_t l = 0; l < model->config.n_layer; l++) {
        const Block *block = &model->blocks[l];
        Layer own = attention_layer(&block->attn);
        x = block_forward(t, block, input->attention ? input->attention[l] : own, x);
        if (input->hidden) input->hidden[l + 1] = x;
    }
    //< blocks
    //> last_norm
    return norm(t, &model->ln_f, x);
    //< last_norm
}
