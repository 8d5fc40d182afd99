/* Attention over a batch with padding: see masked_attention.h. */
#include "07-attention/masked_attention.h"

#include <string.h>

/* The tokens of one row of a batch: which rows of x [B * T, ...] they are. */
typedef struct {
    const size_t *at; /* [n] */
    size_t n;
} Tokens;

static Tokens tokens_of_row(Tape *t, const int *mask, size_t b, size_t length) {
    size_t *at = tape_alloc(t, length, sizeof *at), n = 0;
    for (size_t i = b * length; i < (b + 1) * length; i++) {
        if (mask[i]) at[n++] = i;
    }
    return (Tokens){at, n};
}

static void add_row(float *to, const float *from, size_t width) {
    for (size_t i = 0; i < width; i++) to[i] += from[i];
}

static void take_backward(const TapeNode *node) {
    const Tokens *tokens = node->saved;
    size_t width = tensor_cols(node->out);
    for (size_t i = 0; i < tokens->n; i++)
        add_row(node->inputs[0]->grad + tokens->at[i] * width,
                node->out->grad + i * width, width);
}

/* x [B, T, width] -> [1, n, width] */
static Tensor *take(Tape *t, Tensor *x, const Tokens *tokens) {
    size_t width = tensor_cols(x);
    Tensor *out = tape_output(t, "take tokens", 3, (size_t[]){1, tokens->n, width},
                              TAPE_INPUTS(x));
    for (size_t i = 0; i < tokens->n; i++)
        memcpy(out->data + i * width, x->data + tokens->at[i] * width,
               width * sizeof *out->data);
    tape_record_saved(t, out, take_backward, tokens, sizeof *tokens);
    return out;
}

static void put_backward(const TapeNode *node) {
    const Tokens *tokens = *(const Tokens *const *)node->saved;
    size_t width = tensor_cols(node->out);
    for (size_t k = 0; k < node->n_inputs; k++) {
        for (size_t i = 0; i < tokens[k].n; i++)
            add_row(node->inputs[k]->grad + i * width,
                    node->out->grad + tokens[k].at[i] * width, width);
    }
}

/* n texts [1, tokens[k].n, width] -> [shape[0], shape[1], width], 0 at padding. */
static Tensor *put_back(Tape *t, Tensor *const *texts, const Tokens *tokens, size_t n,
                        const size_t *shape) {
    size_t width = shape[2];
    Tensor *out = tape_output(t, "put tokens back", 3, shape, texts, n);
    floats_zero(out->data, tensor_size(out));
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < tokens[k].n; i++)
            memcpy(out->data + tokens[k].at[i] * width, texts[k]->data + i * width,
                   width * sizeof *out->data);
    }
    tape_record_saved(t, out, put_backward, &tokens, sizeof tokens);
    return out;
}

/* The weights of one text [1, n_head, n, n] among those of the batch [B, n_head, T,
 * T]. */
static void put_weights(Tensor *all, const Tensor *of_text, const Tokens *tokens) {
    size_t n_head = all->shape[1], length = all->shape[2], n = tokens->n,
           b = tokens->at[0] / length;
    for (size_t h = 0; h < n_head; h++) {
        float *to = all->data + (b * n_head + h) * length * length;
        for (size_t i = 0; i < n * n; i++) {
            size_t row = tokens->at[i / n] % length,
                   column = tokens->at[i % n] % length;
            to[row * length + column] = of_text->data[h * n * n + i];
        }
    }
}

//> masked_attention
Tensor *masked_attention(Tape *t, const AttentionConfig *config, Tensor *qkv,
                         const int *mask, Tensor **weights) {
    size_t batch = qkv->shape[0], length = qkv->shape[1], n_head = config->n_head,
           n = 0;
    Tokens *tokens = tape_alloc(t, batch, sizeof *tokens);
    Tensor **texts = tape_alloc(t, batch, sizeof *texts), *of_text;
    if (weights) {
        *weights = tape_tensor(t, 4, (size_t[]){batch, n_head, length, length}, false);
        floats_zero((*weights)->data, tensor_size(*weights));
    }
    for (size_t b = 0; b < batch; b++) {
        tokens[n] = tokens_of_row(t, mask, b, length);
        if (tokens[n].n == 0) continue;
        Tensor *text = take(t, qkv, &tokens[n]);
        texts[n] = attention_core(t, config, text, weights ? &of_text : NULL);
        if (weights) put_weights(*weights, of_text, &tokens[n]);
        n++;
    }
    return put_back(t, texts, tokens, n, (size_t[]){batch, length, config->d_model});
}
//< masked_attention
