/* Everything a pass computes, in a file: see dump.h. The model is run as it is; what it
 * computed is read from the tape afterwards, where a weight tells the place: the linear
 * layer that read c_attn of block 3 made q, k and v of block 3. */
#include "10-gpt2/dump.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "00-tensors/softmax_layer.h"
#include "07-attention/causal_attention.h"
#include "07-attention/heads.h"
#include "checkpoints/safetensors.h"

typedef struct {
    Tape *tape;
    SafetensorsWriter *file;
    const Gpt2 *model;
    size_t length;
} Dump;

/* --- what the tape knows --- */

/* The operation that read this parameter as its input number `place`, or NULL. */
static const TapeNode *reader(const Dump *d, const Tensor *param, size_t place) {
    for (const TapeNode *node = d->tape->last; node; node = node->previous) {
        if (node->n_inputs > place && node->inputs[place] == param) return node;
    }
    return NULL;
}

static const TapeNode *maker(const Dump *d, const Tensor *x) {
    for (const TapeNode *node = d->tape->last; node; node = node->previous) {
        if (node->out == x) return node;
    }
    return NULL;
}

static const Tensor *input_of(const TapeNode *node) {
    return node ? node->inputs[0] : NULL;
}

static const Tensor *output_of(const TapeNode *node) {
    return node ? node->out : NULL;
}

/* --- what is written --- */

static void add(const Dump *d, const char *kind, size_t l, int ndim,
                const size_t *shape, const float *data) {
    char name[64];
    snprintf(name, sizeof name, "%s.%zu", kind, l);
    safetensors_add(d->file, name, DTYPE_F32, ndim, shape, data);
}

/* x [1, T, ...] or [1, H, T, T], without the batch; nothing where it is NULL. */
static void add_tensor(const Dump *d, const char *kind, size_t l, const Tensor *x) {
    if (x) add(d, kind, l, x->ndim - 1, x->shape + 1, x->data);
}

/* The same of what a pass has once. */
static void add_single(const Dump *d, const char *name, const Tensor *x) {
    if (x) safetensors_add(d->file, name, DTYPE_F32, 2, x->shape + 1, x->data);
}

/* Columns of qkv [1, T, q | k | v] from `from` on as heads [n_head, T, D]. */
static const float *add_heads(const Dump *d, const char *kind, size_t l,
                              const Tensor *qkv, size_t from, size_t n_head) {
    size_t dim = attention_head_dim(&d->model->blocks[l].attn.config),
           shape[3] = {n_head, d->length, dim};
    float *heads = tape_alloc(d->tape, n_head * d->length * dim, sizeof *heads);
    split_heads(heads, qkv->data + from, 1, d->length, n_head, dim, tensor_cols(qkv));
    add(d, kind, l, 3, shape, heads);
    return heads;
}

/* The attention has turned its scores into weights in place, so they are computed once
 * more, by the same function. */
static void add_scores(const Dump *d, size_t l, const float *q, const float *k) {
    const AttentionConfig *c = &d->model->blocks[l].attn.config;
    AttentionShape shape = {.n_heads = 1,
                            .length = d->length,
                            .head_dim = attention_head_dim(c),
                            .causal = c->causal};
    size_t square = d->length * d->length, size = d->length * shape.head_dim,
           group = c->n_head / attention_kv_heads(c);
    float *scores = tape_alloc(d->tape, c->n_head * square, sizeof *scores);
    for (size_t h = 0; h < c->n_head; h++) {
        float *of_head = scores + h * square;
        attention_scores(of_head, q + h * size, k + h / group * size, &shape);
        for (size_t t = 0; t < d->length; t++) {
            size_t n = attention_visible(&shape, t);
            floats_zero(of_head + t * d->length + n, d->length - n);
        }
    }
    add(d, "scores", l, 3, (size_t[]){c->n_head, d->length, d->length}, scores);
}

static void add_attention(const Dump *d, size_t l, const Tensor *weights) {
    const Attention *a = &d->model->blocks[l].attn;
    const TapeNode *in = reader(d, a->c_attn.weight, 1),
                   *out = reader(d, a->c_proj.weight, 1);
    if (!in || !out) return;
    add_tensor(d, "ln_1", l, input_of(in));
    const Tensor *qkv = in->out;
    if (a->config.rotary.n_pairs) qkv = output_of(reader(d, qkv, 0));
    size_t n_kv_head = attention_kv_heads(&a->config), width = a->config.d_model,
           kv = n_kv_head * attention_head_dim(&a->config);
    const float *q = add_heads(d, "query", l, qkv, 0, a->config.n_head),
                *k = add_heads(d, "key", l, qkv, width, n_kv_head);
    add_heads(d, "value", l, qkv, width + kv, n_kv_head);
    add_scores(d, l, q, k);
    add_tensor(d, "att", l, weights);
    add_tensor(d, "heads", l, input_of(out));
    add_tensor(d, "attn_branch", l, out->out);
}

static void add_ffn(const Dump *d, size_t l) {
    const Ffn *f = &d->model->blocks[l].mlp;
    const TapeNode *up = reader(d, f->up.weight, 1),
                   *down = reader(d, f->down.weight, 1);
    if (!up || !down) return;
    add_tensor(d, "middle", l, input_of(maker(d, input_of(up))));
    add_tensor(d, "ln_2", l, input_of(up));
    add_tensor(d, "ffn_up", l, up->out);
    if (ffn_is_gated(f->kind))
        add_tensor(d, "ffn_gate", l, output_of(reader(d, f->gate.weight, 1)));
    add_tensor(d, "ffn_units", l, input_of(down));
    add_tensor(d, "ffn_branch", l, down->out);
}

static void add_gradients(const Dump *d) {
    const Params *params = &d->model->params;
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        char name[300];
        snprintf(name, sizeof name, "grad.%s", params->items[i].name);
        safetensors_add(d->file, name, DTYPE_F32, x->ndim, x->shape, x->grad);
    }
}

/* --- the pass --- */

DumpResult gpt2_dump(Gpt2 *model, const Gpt2Input *row, const int *targets, bool grad,
                     const char *path) {
    size_t n_layer = model->config.n_layer;
    Tape t = tape_for_inference();
    t.recording = grad; /* gradients, but no dropout */
    t.keeps_nodes = path != NULL;
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
    DumpResult result = {loss ? (double)loss->data[0] : NAN, t.arena.peak};
    if (path) {
        Dump d = {&t, safetensors_begin(path), model, row->length};
        add_single(&d, "logits", logits);
        add_single(&d, "token", output_of(reader(&d, model->wte, 0)));
        if (model->wpe)
            add_single(&d, "position", output_of(reader(&d, model->wpe, 0)));
        for (size_t l = 0; l <= n_layer; l++) add_tensor(&d, "hidden", l, hidden[l]);
        for (size_t l = 0; l < n_layer; l++) {
            add_attention(&d, l, weights[l]);
            add_ffn(&d, l);
        }
        add_single(&d, "hidden_norm", normed);
        if (loss) safetensors_add(d.file, "loss", DTYPE_F32, 0, NULL, loss->data);
        if (grad) add_gradients(&d);
        safetensors_commit(d.file);
    }
    tape_free(&t);
    return result;
}
