/* The KV cache: see kv_cache.h. */
#include "13-kv-cache/kv_cache.h"

#include <stdlib.h>
#include <string.h>

#include "06-embeddings/positions.h"
#include "07-attention/causal_attention.h"
#include "07-attention/heads.h"
#include "13-kv-cache/attention_step.h"
#include "13-kv-cache/kv_append.h"
#include "13-kv-cache/sink_window.h"
#include "base/error.h"
#include "base/memory.h"
#include "kernels/threads.h"

static KvCache create(const Gpt2Config *config, size_t batch, size_t n_sink,
                      size_t window, size_t capacity) {
    if (capacity > config->n_ctx)
        die("a cache of %zu tokens: the model's context is %zu", capacity,
            config->n_ctx);
    const BlockConfig *block = &config->block;
    KvCache cache = {
        .n_layer = config->n_layer,
        .batch = batch,
        .n_head = block->n_head,
        .head_dim = block->d_model / block->n_head,
        .n_kv_head = block->n_kv_head ? block->n_kv_head : block->n_head,
        .capacity = capacity,
        .n_sink = n_sink,
        .window = window,
        .longest = window ? config->n_ctx : capacity,
        .length = checked_alloc(batch, sizeof *cache.length),
    };
    size_t floats = size_mul(size_mul(config->n_layer, batch),
                             size_mul(capacity, cache.n_kv_head * cache.head_dim));
    cache.keys = checked_alloc(floats, sizeof *cache.keys);
    cache.values = checked_alloc(floats, sizeof *cache.values);
    return cache;
}

KvCache kv_cache_create(const Gpt2Config *config, size_t batch, size_t capacity) {
    return create(config, batch, 0, 0, capacity);
}

KvCache kv_cache_create_window(const Gpt2Config *config, size_t batch, size_t n_sink,
                               size_t window) {
    if (window == 0) die("a window of 0 tokens: a token must see itself");
    return create(config, batch, n_sink, window, n_sink + window);
}

size_t kv_cache_bytes(const KvCache *cache) {
    return 2 * cache->n_layer * cache->batch * cache->n_kv_head * cache->capacity *
           cache->head_dim * sizeof(float);
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

/* --- attention that reads and fills the cache, to be put in the place of a block's own
 * --- */

typedef struct {
    const Attention *attn;
    KvCache *cache;
    size_t layer;
    const size_t *n_new;  /* [batch] */
    const int *positions; /* [batch, length] of the new tokens, which rotations need */
} CachedAttention;

/* Floats of a row q | k | v. */
static size_t qkv_width(const KvCache *c) {
    return (c->n_head + 2 * c->n_kv_head) * c->head_dim;
}

/* Whether this pass is a prompt and nothing is cached yet. */
static bool is_prompt(const KvCache *c, size_t length) {
    bool is_empty = true;
    for (size_t b = 0; b < c->batch; b++) is_empty = is_empty && c->length[b] == 0;
    return is_empty && length > 1 && !c->window;
}

/* A prompt: no token looks at one from an earlier pass, so this is chapter 07's
 * attention, all positions at once. The weights are not needed afterwards: a thread
 * keeps those of one head only, and they stay in its cache, with a scratch beside them.
 * out is 0 before. */
static void attend_prompt(Tape *t, float *out, const float *qkv, const KvCache *c,
                          size_t length) {
    size_t dim = c->n_head * c->head_dim, heads = c->batch * c->n_head,
           of_head = length * c->head_dim, group = c->n_head / c->n_kv_head;
    /* the next layer works in the same memory */
    ArenaMark before = arena_mark(&t->arena);
    float *part[3], *merged = tape_alloc(t, heads * of_head, sizeof *merged);
    const float *from = qkv;
    for (size_t i = 0; i < 3; i++) {
        size_t n = i == 0 ? c->n_head : c->n_kv_head;
        part[i] = tape_alloc(t, c->batch * n * of_head, sizeof *part[i]);
        split_heads(part[i], from, c->batch, length, n, c->head_dim, qkv_width(c));
        from += n * c->head_dim;
    }
    AttentionShape shape = {
        .n_heads = 1, .length = length, .head_dim = c->head_dim, .causal = true};
#pragma omp parallel if (heads > 1)
    {
        size_t square = size_mul(length, length);
        float *weights = checked_alloc(size_mul(2, square), sizeof *weights);
#pragma omp for schedule(dynamic)
        for (size_t h = 0; h < heads; h++) {
            size_t at = h * of_head, shared = h / group * of_head;
            attention_forward(merged + at, weights, weights + square, part[0] + at,
                              part[1] + shared, part[2] + shared, &shape);
        }
        free(weights);
    }
    merge_heads(out, merged, c->batch, length, c->n_head, c->head_dim, dim);
    arena_release(&t->arena, before);
}

/* One token's attention over the first `held` slots of a row's cache. */
static void attend_one(float *out, float *scratch, const float *q, const float *keys,
                       const float *values, const CachedAttention *a, size_t held) {
    const KvCache *c = a->cache;
    if (c->n_kv_head == c->n_head) {
        attention_step(out, scratch, q, keys, values, c->n_head, c->head_dim,
                       c->capacity, held);
        return;
    }
    GroupShape shape = {.n_head = c->n_head,
                        .n_kv_head = c->n_kv_head,
                        .head_dim = c->head_dim,
                        .capacity = c->capacity,
                        .length = held};
    a->attn->config.hooks->step(out, scratch, q, keys, values, &shape);
}

/* sink_step where query heads share keys and values. */
static void grouped_sink_step(float *out, float *scratch, float *keys, float *values,
                              const float *qkv, const CachedAttention *a,
                              size_t position) {
    const KvCache *c = a->cache;
    size_t dim = c->n_head * c->head_dim, kv = c->n_kv_head * c->head_dim;
    size_t slot = sink_slot(position, c->n_sink, c->window);
    kv_append(keys, qkv + dim, 1, kv, c->n_kv_head, c->head_dim, c->capacity, slot);
    kv_append(values, qkv + dim + kv, 1, kv, c->n_kv_head, c->head_dim, c->capacity,
              slot);
    attend_one(out, scratch, qkv, keys, values, a,
               sink_held(position + 1, c->n_sink, c->window));
}

/* Row b of this layer, keys and values [n_kv_head, capacity, head_dim]. */
typedef struct {
    float *keys, *values;
} CachedRow;

static CachedRow cached_row(const CachedAttention *a, size_t b) {
    const KvCache *c = a->cache;
    size_t kv = c->n_kv_head * c->head_dim,
           at = (a->layer * c->batch + b) * c->capacity * kv;
    return (CachedRow){.keys = c->keys + at, .values = c->values + at};
}

/* Row b: caches its new tokens, from qkv [n_new, qkv_width]. Each attends to all tokens
 * held, itself included; a whole prompt does so in attend_prompt, all tokens at
 * once. */
static void extend_row(float *out, float *scratch, const float *qkv,
                       const CachedAttention *a, size_t b, bool whole_prompt) {
    const KvCache *c = a->cache;
    CachedRow row = cached_row(a, b);
    size_t dim = c->n_head * c->head_dim, kv = c->n_kv_head * c->head_dim,
           width = qkv_width(c), seen = c->length[b], n_new = a->n_new[b];
    kv_append(row.keys, qkv + dim, n_new, width, c->n_kv_head, c->head_dim, c->capacity,
              seen);
    kv_append(row.values, qkv + dim + kv, n_new, width, c->n_kv_head, c->head_dim,
              c->capacity, seen);
    if (whole_prompt) return;
    for (size_t i = 0; i < n_new; i++)
        attend_one(out + i * dim, scratch, qkv + i * width, row.keys, row.values, a,
                   seen + i + 1);
}

/* The same in a window: the next token may overwrite a slot that this one reads, so
 * they go one by one. */
static void extend_row_in_window(float *out, float *scratch, const float *qkv,
                                 const CachedAttention *a, size_t b) {
    const KvCache *c = a->cache;
    CachedRow row = cached_row(a, b);
    size_t dim = c->n_head * c->head_dim, width = qkv_width(c), seen = c->length[b];
    for (size_t i = 0; i < a->n_new[b]; i++) {
        if (c->n_kv_head == c->n_head)
            sink_step(out + i * dim, scratch, row.keys, row.values, qkv + i * width,
                      seen + i, c->n_head, c->head_dim, c->n_sink, c->window);
        else
            grouped_sink_step(out + i * dim, scratch, row.keys, row.values,
                              qkv + i * width, a, seen + i);
    }
}

static Tensor *cached_forward(Tape *t, const void *self, Tensor *x) {
    const CachedAttention *a = self;
    const KvCache *c = a->cache;
    size_t length = x->shape[1], dim = x->shape[2];
    Tensor *qkv = attention_qkv(t, a->attn, x, a->positions);
    Tensor *mixed = tape_output(t, "cached attention", 3, x->shape, TAPE_INPUTS(qkv));
    float *scratch = tape_alloc(t, c->n_head * c->capacity, sizeof *scratch);
    bool whole_prompt = is_prompt(c, length);
    floats_zero(mixed->data, tensor_size(mixed)); /* padding stays 0 */
    for (size_t b = 0; b < c->batch; b++) {
        float *out = mixed->data + b * length * dim;
        const float *own = qkv->data + b * length * qkv_width(c);
        if (c->window)
            extend_row_in_window(out, scratch, own, a, b);
        else
            extend_row(out, scratch, own, a, b, whole_prompt);
    }
    if (whole_prompt) attend_prompt(t, mixed->data, qkv->data, c, length);
    tape_record(t, mixed, NULL); /* there is no way back: the cache is for inference */
    return linear(t, &a->attn->c_proj, mixed);
}

static void check_room(const KvCache *c, const Gpt2 *model, size_t length,
                       const size_t *n_new) {
    const AttentionConfig *attn = &model->blocks[0].attn.config;
    size_t n_layer = model->config.n_layer, n_kv_head = attention_kv_heads(attn),
           head_dim = attention_head_dim(attn);
    if (n_layer != c->n_layer || attn->n_head != c->n_head ||
        n_kv_head != c->n_kv_head || head_dim != c->head_dim)
        die("the cache is of another model: layers %zu, heads %zu, of keys %zu, "
            "features of a head %zu; expected %zu, %zu, %zu, %zu",
            c->n_layer, c->n_head, c->n_kv_head, c->head_dim, n_layer, attn->n_head,
            n_kv_head, head_dim);
    for (size_t b = 0; b < c->batch; b++) {
        if (n_new[b] > length)
            die("row %zu: %zu new tokens, expected at most %zu", b, n_new[b], length);
        if (c->length[b] + n_new[b] > c->longest) {
            die("row %zu: %zu tokens were seen and %zu are new: the cache is for %zu",
                b, c->length[b], n_new[b], c->longest);
        }
    }
}

/* Where each new token stands; padding stands at 0, where any model has a position. */
static int *positions_of(Tape *t, const KvCache *c, size_t length,
                         const size_t *n_new) {
    int *positions = tape_alloc(t, c->batch * length, sizeof *positions);
    position_ids(positions, c->length, c->batch, length);
    for (size_t b = 0; b < c->batch; b++) {
        for (size_t i = n_new[b]; i < length; i++) positions[b * length + i] = 0;
    }
    return positions;
}

const float *kv_cache_logits(Tape *t, const Gpt2 *model, KvCache *cache,
                             const int *tokens, size_t length, const size_t *n_new) {
    check_room(cache, model, length, n_new);
    if (t->recording)
        die("kv_cache_logits: the tape records, expected one for inference");
    tape_reset(t);
    const int *positions = positions_of(t, cache, length, n_new);
    CachedAttention *own = tape_alloc(t, cache->n_layer, sizeof *own);
    Layer *layers = tape_alloc(t, cache->n_layer, sizeof *layers);
    for (size_t l = 0; l < cache->n_layer; l++) {
        own[l] = (CachedAttention){.attn = &model->blocks[l].attn,
                                   .cache = cache,
                                   .layer = l,
                                   .n_new = n_new,
                                   .positions = positions};
        layers[l] = (Layer){cached_forward, &own[l]};
    }
    Gpt2Input input = {.tokens = tokens,
                       .batch = cache->batch,
                       .length = length,
                       .positions = positions,
                       .attention = layers};
    Tensor *hidden = gpt2_hidden(t, model, &input);
    size_t *last = tape_alloc(t, cache->batch, sizeof *last);
    for (size_t b = 0; b < cache->batch; b++) {
        cache->length[b] += n_new[b];
        last[b] = n_new[b] > 0 ? n_new[b] - 1 : 0;
    }
    return gpt2_logits_at(t, model, hidden, last);
}

/* --- the model as chapter 12's generate() wants it --- */

static const float *next_logits(void *self, const int *tokens, size_t n) {
    CachedModel *m = self;
    size_t seen = m->cache.length[0];
    bool goes_on = n > seen && memcmp(tokens, m->seen, seen * sizeof *tokens) == 0;
    if (!goes_on) {
        kv_cache_clear(&m->cache);
        seen = 0;
    }
    size_t n_new = n - seen;
    const float *logits =
        kv_cache_logits(&m->tape, m->model, &m->cache, tokens + seen, n_new, &n_new);
    memcpy(m->seen + seen, tokens + seen, n_new * sizeof *tokens);
    return logits;
}

/* The same with as many threads as the machine has to spare. */
static const float *next_logits_timed(void *self, const int *tokens, size_t n) {
    CachedModel *m = self;
    thread_tuner_begin(&m->threads);
    const float *logits = next_logits(self, tokens, n);
    thread_tuner_end(&m->threads);
    return logits;
}

CachedModel cached_model_create(const Gpt2 *model, KvCache cache) {
    return (CachedModel){
        .model = model,
        .tape = tape_for_inference(),
        .cache = cache,
        .seen = checked_alloc(cache.longest, sizeof(int)),
        .threads = thread_tuner_create(threads_available()),
    };
}

LanguageModel cached_model(CachedModel *self) {
    return (LanguageModel){.next_logits = next_logits_timed,
                           .self = self,
                           .n_vocab = self->model->config.n_vocab,
                           .n_ctx = self->cache.longest};
}

void cached_model_free(CachedModel *self) {
    threads_use(self->threads.most);
    tape_free(&self->tape);
    kv_cache_free(&self->cache);
    free(self->seen);
    *self = (CachedModel){0};
}
