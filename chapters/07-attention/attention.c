/* Multi-head attention on the tape: see attention.h. */
#include "07-attention/attention.h"

#include "05-residual-blocks/dropout.h"
#include "07-attention/causal_attention.h"
#include "07-attention/heads.h"
#include "07-attention/online_attention.h"
#include "base/error.h"

Attention attention_create(Params *params, Random *init, const AttentionConfig *config,
                           float std, float std_proj, const char *name) {
    size_t dim = config->d_model;
    if (config->n_head == 0 || dim % config->n_head != 0) {
        die("attention '%s': d_model %zu is not a multiple of n_head %zu", name, dim,
            config->n_head);
    }
    Attention a = {.config = *config};
    params_push(params, "%s", name);
    a.c_attn =
        linear_create(params, init, dim, 3 * dim, config->has_bias, std, "c_attn");
    a.c_proj =
        linear_create(params, init, dim, dim, config->has_bias, std_proj, "c_proj");
    params_pop(params);
    return a;
}

/* What the backward pass of the part between the two projections needs. */
typedef struct {
    Tape *tape;
    const float *q, *k, *v;
    const float *weights, *logsumexp; /* the online kind keeps logsumexp alone */
    AttentionShape shape;
    size_t batch, n_head;
} Saved;

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    float *dqkv = node->inputs[0]->grad;
    size_t batch = s->batch, length = s->shape.length, n_head = s->n_head,
           dim = s->shape.head_dim;
    size_t d_model = n_head * dim, size = batch * length * d_model;
    ArenaMark mark = arena_mark(&s->tape->arena);
    float *dheads = tape_alloc(s->tape, size, sizeof *dheads);
    float *dq = tape_alloc(s->tape, 3 * size, sizeof *dq), *dk = dq + size,
          *dv = dk + size;
    floats_zero(dq, 3 * size);

    split_heads(dheads, node->out->grad, batch, length, n_head, dim, d_model);
    if (s->weights) {
        float *scratch =
            tape_alloc(s->tape, batch * n_head * length * length, sizeof *scratch);
        attention_backward(dq, dk, dv, scratch, dheads, s->weights, s->q, s->k, s->v,
                           &s->shape);
    } else {
        float *heads = tape_alloc(s->tape, size, sizeof *heads);
        split_heads(heads, node->out->data, batch, length, n_head, dim, d_model);
        online_attention_backward((AttentionGradients){dq, dk, dv}, dheads, heads,
                                  s->logsumexp, s->q, s->k, s->v, &s->shape);
    }
    merge_heads(dqkv, dq, batch, length, n_head, dim, 3 * d_model);
    merge_heads(dqkv + d_model, dk, batch, length, n_head, dim, 3 * d_model);
    merge_heads(dqkv + 2 * d_model, dv, batch, length, n_head, dim, 3 * d_model);
    arena_release(&s->tape->arena, mark);
}

/* Dropout's mask, in training; its numbers live in the arena, as the backward pass
 * draws them again. */
static void set_dropout(Tape *t, AttentionShape *shape, float p) {
    if (!t->training || p == 0.0f) return;
    Random *random = tape_alloc(t, 1, sizeof *random);
    *random = dropout_random(t, shape->n_heads * shape->length * shape->length);
    shape->dropout = p;
    shape->random = random;
}

/* What lies between the projections: qkv [B, T, 3C] -> [B, T, C]. Without a backward
 * pass to come, and with nobody asking for the weights, all that is kept of it is its
 * output. */
//> attend
static Tensor *attend(Tape *t, const AttentionConfig *config, Tensor *qkv,
                      Tensor **weights) {
    size_t batch = qkv->shape[0], length = qkv->shape[1], d_model = config->d_model,
           n_head = config->n_head;
    size_t dim = d_model / n_head, size = batch * length * d_model;
    AttentionShape shape = {.n_heads = batch * n_head,
                            .length = length,
                            .head_dim = dim,
                            .causal = config->causal};
    Tensor *out = tape_output(t, "attention", 3, (size_t[]){batch, length, d_model},
                              TAPE_INPUTS(qkv));

    ArenaMark before = arena_mark(&t->arena);
    set_dropout(t, &shape, config->dropout);
    bool online = config->kind == ATTENTION_ONLINE && !weights;
    Tensor *w = NULL;
    float *logsumexp = NULL;
    if (online) {
        logsumexp = tape_alloc(t, batch * n_head * length, sizeof *logsumexp);
    } else {
        w = tape_tensor(t, 4, (size_t[]){batch, n_head, length, length}, false);
    }
    float *q = tape_alloc(t, 3 * size, sizeof *q), *k = q + size, *v = k + size;
    split_heads(q, qkv->data, batch, length, n_head, dim, 3 * d_model);
    split_heads(k, qkv->data + d_model, batch, length, n_head, dim, 3 * d_model);
    split_heads(v, qkv->data + 2 * d_model, batch, length, n_head, dim, 3 * d_model);

    ArenaMark working = arena_mark(&t->arena);
    float *heads = tape_alloc(t, size, sizeof *heads);
    if (online) {
        online_attention_forward(heads, logsumexp, q, k, v, &shape);
    } else {
        float *scratch = tape_alloc(t, tensor_size(w), sizeof *scratch);
        attention_forward(heads, w->data, scratch, q, k, v, &shape);
    }
    floats_zero(out->data, size);
    merge_heads(out->data, heads, batch, length, n_head, dim, d_model);

    arena_release(&t->arena, out->grad || weights ? working : before);
    if (weights) *weights = w;
    Saved saved = {.tape = t,
                   .q = q,
                   .k = k,
                   .v = v,
                   .weights = w ? w->data : NULL,
                   .logsumexp = logsumexp,
                   .shape = shape,
                   .batch = batch,
                   .n_head = n_head};
    tape_record_saved(t, out, backward, &saved, sizeof saved);
    return out;
}
//< attend

//> attention
Tensor *attention_with_weights(Tape *t, const Attention *a, Tensor *x,
                               Tensor **weights) {
    char text[TENSOR_SHAPE_TEXT];
    if (x->ndim != 3 || x->shape[2] != a->config.d_model) {
        die("attention: x is %s, expected [B, T, %zu]", tensor_shape_text(x, text),
            a->config.d_model);
    }
    Tensor *qkv = linear(t, &a->c_attn, x);
    Tensor *mixed = attend(t, &a->config, qkv, weights);
    return linear(t, &a->c_proj, mixed);
}
//< attention

Tensor *attention(Tape *t, const Attention *a, Tensor *x) {
    return attention_with_weights(t, a, x, NULL);
}

static Tensor *layer_attention(Tape *t, const void *self, Tensor *x) {
    return attention(t, self, x);
}

Layer attention_layer(const Attention *a) {
    return (Layer){layer_attention, a};
}
