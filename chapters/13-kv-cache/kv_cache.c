/* The KV cache: see kv_cache.h. */
#include "13-kv-cache/kv_cache.h"

#include <stdlib.h>
#include <string.h>

#include "06-embeddings/positions.h"
#include "07-attention/causal_attention.h"
#include "07-attention/heads.h"
#include "13-kv-cache/attention_step.h"
#include "13-kv-cache/kv_append.h"
#include "error.h"

KvCache kv_cache_create(const Gpt2Config *config, size_t batch, size_t capacity) {
    if (capacity > config->n_ctx)
        die("a cache of %zu tokens: the model's context is %zu", capacity, config->n_ctx);
    KvCache cache = {
        .n_layer = config->n_layer,
        .batch = batch,
        .n_head = config->block.n_head,
        .head_dim = config->block.d_model / config->block.n_head,
        .capacity = capacity,
        .length = checked_alloc(batch, sizeof *cache.length),
    };
    size_t floats = size_mul(size_mul(config->n_layer, batch), size_mul(capacity, config->block.d_model));
    cache.keys = checked_alloc(floats, sizeof *cache.keys);
    cache.values = checked_alloc(floats, sizeof *cache.values);
    return cache;
}

size_t kv_cache_bytes(const KvCache *cache) {
    return 2 * cache->n_layer * cache->batch * cache->n_head * cache->capacity * cache->head_dim *
           sizeof(float);
}

void kv_cache_clear(KvCache *cache) {
    memset(cache->length, 0, cache->batch * sizeof *cache->length);
}

void kv_cache_free(KvCache *cache) {
    free(cache->length);
    free(cache->keys);
    free(cache->values);
    *cache = (KvCache){0};
}

/* --- attention that reads and fills the cache, to be put in the place of a block's own --- */

typedef struct {
    const Attention *attn;
    KvCache *cache;
    size_t layer;
} CachedAttention;

/* The first pass over a prompt: nothing is cached yet, so this is chapter 07's attention, all positions at
 * once. */
static void attend_prompt(Tape *t, float *out, const float *qkv, const KvCache *c, size_t length) {
    size_t dim = c->n_head * c->head_dim, size = c->batch * length * dim, heads = c->batch * c->n_head;
    float *part[3], *merged = tape_alloc(t, size, sizeof *merged);
    for (size_t i = 0; i < 3; i++) {
        part[i] = tape_alloc(t, size, sizeof *part[i]);
        split_heads(part[i], qkv + i * dim, c->batch, length, c->n_head, c->head_dim, 3 * dim);
    }
    float *weights = tape_alloc(t, heads * length * length, sizeof *weights);
    float *scratch = tape_alloc(t, heads * length * length, sizeof *scratch);
    AttentionShape shape = {.n_heads = heads, .length = length, .head_dim = c->head_dim, .causal = true};
    attention_forward(merged, weights, scratch, part[0], part[1], part[2], &shape);
    memset(out, 0, size * sizeof *out);
    merge_heads(out, merged, c->batch, length, c->n_head, c->head_dim, dim);
}

//> cached_forward
static Tensor *cached_forward(Tape *t, const void *self, Tensor *x) {
    const CachedAttention *a = self;
    KvCache *c = a->cache;
    size_t length = x->shape[1], dim = x->shape[2], row_floats = c->capacity * dim;
    Tensor *qkv = linear(t, &a->attn->c_attn, x), *mixed = tape_output(t, 3, x->shape, false);
    float *scratch = tape_alloc(t, c->n_head * c->capacity, sizeof *scratch);
    bool is_empty = true;
    for (size_t b = 0; b < c->batch; b++) {
        size_t held = c->length[b];
        float *keys = c->keys + (a->layer * c->batch + b) * row_floats;
        float *values = c->values + (a->layer * c->batch + b) * row_floats;
        const float *row = qkv->data + b * length * 3 * dim; /* q | k | v of each new token */
        kv_append(keys, row + dim, length, 3 * dim, c->n_head, c->head_dim, c->capacity, held);
        kv_append(values, row + 2 * dim, length, 3 * dim, c->n_head, c->head_dim, c->capacity, held);
        is_empty = is_empty && held == 0;
        for (size_t i = 0; (held > 0 || length == 1) && i < length; i++) {
            attention_step(mixed->data + (b * length + i) * dim, scratch, row + i * 3 * dim, keys, values,
                           c->n_head, c->head_dim, c->capacity, held + i + 1);
        }
    }
    if (is_empty && length > 1) attend_prompt(t, mixed->data, qkv->data, c, length);
    return linear(t, &a->attn->c_proj, mixed);
}
//< cached_forward

/* Every row must have room for `length` more tokens, and either all rows are empty or none is. */
static void check_room(const KvCache *c, const Gpt2 *model, size_t length, const size_t *n_new) {
    if (model->config.n_layer != c->n_layer || model->config.block.n_head != c->n_head)
        die("the cache is of another model");
    for (size_t b = 0; b < c->batch; b++) {
        if (n_new[b] == 0 || n_new[b] > length)
            die("row %zu: %zu new tokens, expected 1 to %zu", b, n_new[b], length);
        if (c->length[b] + length > c->capacity) {
            die("row %zu: %zu tokens are cached and %zu are new: the cache holds %zu", b, c->length[b],
                length, c->capacity);
        }
        if (length > 1 && (c->length[b] == 0) != (c->length[0] == 0))
            die("some rows of the cache are empty, some are not");
    }
}

const float *kv_cache_logits(Tape *t, const Gpt2 *model, KvCache *cache, const int *tokens, size_t length,
                             const size_t *n_new) {
    check_room(cache, model, length, n_new);
    tape_reset(t);
    t->recording = t->training = false;
    size_t batch = cache->batch, *last = tape_alloc(t, batch, sizeof *last);
    int *positions = tape_alloc(t, batch * length, sizeof *positions);
    position_ids(positions, cache->length, batch, length);
    for (size_t b = 0; b < batch; b++) last[b] = n_new[b] - 1;
    CachedAttention *own = tape_alloc(t, cache->n_layer, sizeof *own);
    Layer *layers = tape_alloc(t, cache->n_layer, sizeof *layers);
    for (size_t l = 0; l < cache->n_layer; l++) {
        own[l] = (CachedAttention){&model->blocks[l].attn, cache, l};
        layers[l] = (Layer){cached_forward, &own[l]};
    }
    Gpt2Input input = {
        .tokens = tokens, .batch = batch, .length = length, .positions = positions, .attention = layers};
    Tensor *hidden = gpt2_hidden(t, model, &input);
    for (size_t b = 0; b < batch; b++) cache->length[b] += n_new[b];
    return gpt2_logits_at(t, model, hidden, last);
}

/* --- the model as chapter 12's generate() wants it --- */

static const float *next_logits(void *self, const int *tokens, size_t n) {
    CachedModel *m = self;
    size_t held = m->cache.length[0];
    bool goes_on = n > held && memcmp(tokens, m->held, held * sizeof *tokens) == 0;
    if (!goes_on) {
        kv_cache_clear(&m->cache);
        held = 0;
    }
    size_t n_new = n - held;
    const float *logits = kv_cache_logits(&m->tape, m->model, &m->cache, tokens + held, n_new, &n_new);
    memcpy(m->held + held, tokens + held, n_new * sizeof *tokens);
    return logits;
}

CachedModel cached_model_create(const Gpt2 *model, size_t capacity) {
    return (CachedModel){
        .model = model,
        .tape = tape_create(0),
        .cache = kv_cache_create(&model->config, 1, capacity),
        .held = checked_alloc(capacity, sizeof(int)),
    };
}

LanguageModel cached_model(CachedModel *self) {
    return (LanguageModel){next_logits, self, self->model->config.n_vocab, self->cache.capacity};
}

void cached_model_free(CachedModel *self) {
    tape_free(&self->tape);
    kv_cache_free(&self->cache);
    free(self->held);
    *self = (CachedModel){0};
}
