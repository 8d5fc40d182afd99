/* Multi-head attention on the tape: see attention.h. */
#include "07-attention/attention.h"

#include <string.h>

#include "05-residual-blocks/dropout_layer.h"
#include "06-embeddings/positions.h"
#include "07-attention/causal_attention.h"
#include "07-attention/heads.h"
#include "07-attention/masked_attention.h"
#include "07-attention/online_attention.h"
#include "base/error.h"

size_t attention_head_dim(const AttentionConfig *config) {
    return config->d_model / config->n_head;
}

size_t attention_kv_heads(const AttentionConfig *config) {
    return config->n_kv_head ? config->n_kv_head : config->n_head;
}

size_t attention_qkv_width(const AttentionConfig *config) {
    return config->d_model +
           2 * attention_kv_heads(config) * attention_head_dim(config);
}

static void check_config(const AttentionConfig *c, const char *name) {
    if (c->n_head == 0 || c->d_model % c->n_head != 0)
        die("attention '%s': d_model %zu is not a multiple of n_head %zu", name,
            c->d_model, c->n_head);
    size_t n_kv_head = attention_kv_heads(c);
    if (c->n_head % n_kv_head != 0)
        die("attention '%s': n_head %zu is not a multiple of n_kv_head %zu", name,
            c->n_head, n_kv_head);
    size_t n_pairs = c->rotary.n_pairs;
    if (n_pairs && 2 * n_pairs != attention_head_dim(c))
        die("attention '%s': %zu pairs are rotated, a head has %zu features", name,
            n_pairs, attention_head_dim(c));
    if ((n_pairs || n_kv_head < c->n_head) && !c->hooks)
        die("attention '%s': rotations and shared keys are chapter 18's", name);
}

Attention attention_create(Params *params, Random *init, const AttentionConfig *config,
                           float std, float std_proj, const char *name) {
    check_config(config, name);
    size_t dim = config->d_model, width = attention_qkv_width(config);
    Attention a = {.config = *config};
    params_push(params, "%s", name);
    a.c_attn = linear_create(params, init, dim, width, config->qkv_bias, std, "c_attn");
    a.c_proj =
        linear_create(params, init, dim, dim, config->proj_bias, std_proj, "c_proj");
    params_pop(params);
    return a;
}

/* --- heads of k and v that several query heads share --- */

/* x [n, size] -> out [n * group, size]: each part `group` times. */
static void repeat_kv(float *out, const float *x, size_t n, size_t group, size_t size) {
    for (size_t i = 0; i < n * group; i++)
        memcpy(out + i * size, x + i / group * size, size * sizeof *out);
}

/* The backward of repeat_kv: x [n * group, size] is added to out [n, size]. */
static void sum_kv_groups(float *out, const float *x, size_t n, size_t group,
                          size_t size) {
    for (size_t i = 0; i < n * group; i++) {
        for (size_t j = 0; j < size; j++) out[i / group * size + j] += x[i * size + j];
    }
}

/* Inputs of the backward pass of attention_core. */
typedef struct {
    Tape *tape;
    const float *q, *k, *v;
    const float *weights, *logsumexp; /* the online kind keeps logsumexp alone */
    AttentionShape shape;
    size_t batch, n_head, n_kv_head;
} Saved;

/* k or v [batch, n_head, length, head_dim] out of the row's columns from `from` on;
 * merge_kv_heads brings their gradient back there. */
static void split_kv_heads(Tape *t, float *out, const float *from, const Saved *s) {
    size_t length = s->shape.length, dim = s->shape.head_dim,
           n = s->batch * s->n_kv_head;
    size_t stride = (s->n_head + 2 * s->n_kv_head) * dim;
    if (s->n_kv_head == s->n_head) {
        split_heads(out, from, s->batch, length, s->n_head, dim, stride);
        return;
    }
    ArenaMark mark = arena_mark(&t->arena);
    float *few = tape_alloc(t, n * length * dim, sizeof *few);
    split_heads(few, from, s->batch, length, s->n_kv_head, dim, stride);
    repeat_kv(out, few, n, s->n_head / s->n_kv_head, length * dim);
    arena_release(&t->arena, mark);
}

static void merge_kv_heads(float *to, const float *x, const Saved *s) {
    size_t length = s->shape.length, dim = s->shape.head_dim,
           n = s->batch * s->n_kv_head;
    size_t stride = (s->n_head + 2 * s->n_kv_head) * dim;
    if (s->n_kv_head == s->n_head) {
        merge_heads(to, x, s->batch, length, s->n_head, dim, stride);
        return;
    }
    ArenaMark mark = arena_mark(&s->tape->arena);
    float *few = tape_alloc(s->tape, n * length * dim, sizeof *few);
    floats_zero(few, n * length * dim);
    sum_kv_groups(few, x, n, s->n_head / s->n_kv_head, length * dim);
    merge_heads(to, few, s->batch, length, s->n_kv_head, dim, stride);
    arena_release(&s->tape->arena, mark);
}

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    float *dqkv = node->inputs[0]->grad;
    size_t batch = s->batch, length = s->shape.length, n_head = s->n_head,
           dim = s->shape.head_dim;
    size_t d_model = n_head * dim, size = batch * length * d_model,
           kv = s->n_kv_head * dim;
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
    merge_heads(dqkv, dq, batch, length, n_head, dim, d_model + 2 * kv);
    merge_kv_heads(dqkv + d_model, dk, s);
    merge_kv_heads(dqkv + d_model + kv, dv, s);
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

/* Without a backward pass to come, and with `weights` NULL, only the output is kept. */
//> attention_core
Tensor *attention_core(Tape *t, const AttentionConfig *config, Tensor *qkv,
                       Tensor **weights) {
    size_t batch = qkv->shape[0], length = qkv->shape[1], d_model = config->d_model,
           n_head = config->n_head;
    size_t dim = d_model / n_head, size = batch * length * d_model,
           kv = attention_kv_heads(config) * dim;
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
    Saved saved = {.tape = t,
                   .q = q,
                   .k = k,
                   .v = v,
                   .weights = w ? w->data : NULL,
                   .logsumexp = logsumexp,
                   .shape = shape,
                   .batch = batch,
                   .n_head = n_head,
                   .n_kv_head = kv / dim};
    split_heads(q, qkv->data, batch, length, n_head, dim, d_model + 2 * kv);
    split_kv_heads(t, k, qkv->data + d_model, &saved);
    split_kv_heads(t, v, qkv->data + d_model + kv, &saved);

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
    tape_record_saved(t, out, backward, &saved, sizeof saved);
    return out;
}
//< attention_core

Tensor *attention_qkv(Tape *t, const Attention *a, Tensor *x, const int *positions) {
    //> qkv
    Tensor *qkv = linear(t, &a->c_attn, x);
    //< qkv
    if (!a->config.rotary.n_pairs) return qkv;
    if (!positions) {
        size_t batch = x->shape[0], length = x->shape[1];
        int *in_order = tape_alloc(t, batch * length, sizeof *in_order);
        position_ids(in_order, NULL, batch, length);
        positions = in_order;
    }
    return a->config.hooks->rotate(t, &a->config, qkv, positions);
}

Tensor *attention_at(Tape *t, const Attention *a, Tensor *x, const int *positions,
                     const int *mask, Tensor **weights) {
    char text[TENSOR_SHAPE_TEXT];
    if (x->ndim != 3 || x->shape[2] != a->config.d_model) {
        die("attention: x is %s, expected [B, T, %zu]", tensor_shape_text(x, text),
            a->config.d_model);
    }
    Tensor *qkv = attention_qkv(t, a, x, positions); /* [B, T, q | k | v] */
    Tensor *mixed = mask ? masked_attention(t, &a->config, qkv, mask, weights)
                         : attention_core(t, &a->config, qkv, weights);
    //> back
    return linear(t, &a->c_proj, mixed);
    //< back
}

Tensor *attention_with_weights(Tape *t, const Attention *a, Tensor *x,
                               Tensor **weights) {
    return attention_at(t, a, x, NULL, NULL, weights);
}

Tensor *attention(Tape *t, const Attention *a, Tensor *x) {
    return attention_with_weights(t, a, x, NULL);
}

static Tensor *layer_attention(Tape *t, const void *self, Tensor *x) {
    return attention(t, self, x);
}

Layer attention_layer(const Attention *a) {
    return (Layer){layer_attention, a};
}
