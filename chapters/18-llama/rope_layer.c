/* Rotary positions on the tape: see llama.h. */
#include "18-llama/llama.h"
#include "18-llama/rope.h"

static void backward(const TapeNode *node) {
    Tensor *qkv = node->inputs[0];
    rope_backward(qkv->grad, node->out->grad, node->saved);
}

Tensor *rope(Tape *t, const AttentionConfig *config, Tensor *qkv,
             const int *positions) {
    Tensor *out = tape_output(t, "rope", qkv->ndim, qkv->shape, TAPE_INPUTS(qkv));
    RopeShape shape = {.rows = tensor_rows(qkv),
                       .n_head = config->n_head,
                       .n_kv_head = attention_kv_heads(config),
                       .head_dim = attention_head_dim(config),
                       .positions = positions,
                       .frequencies = config->rotary.frequencies};
    rope_forward(out->data, qkv->data, &shape);
    tape_record_saved(t, out, backward, &shape, sizeof shape);
    return out;
}
