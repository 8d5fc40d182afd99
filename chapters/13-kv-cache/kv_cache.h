/* The KV cache: what a new token needs from the old ones, two vectors a layer. */
#ifndef CHAPTER_13_KV_CACHE_H
#define CHAPTER_13_KV_CACHE_H

#include "10-gpt2/gpt2.h"
#include "12-generation/generate.h"

typedef struct {
    size_t n_layer, batch, n_head, head_dim,
        capacity;         /* capacity: tokens a row can hold, at most the model's context */
    size_t *length;       /* [batch] tokens held */
    float *keys, *values; /* [n_layer, batch, n_head, capacity, head_dim] */
} KvCache;

/* An empty cache; its memory is taken once: 2 * n_layer * batch * capacity * d_model floats. */
KvCache kv_cache_create(const Gpt2Config *config, size_t batch, size_t capacity);
size_t kv_cache_bytes(const KvCache *cache);
void kv_cache_clear(KvCache *cache);
void kv_cache_free(KvCache *cache);

/* Logits [batch, n_vocab] after n_new[b] more tokens in each row b. tokens is [batch, length], each row
 * filled from the left; what stands behind n_new[b] is padding and is not looked at. Positions go on from
 * what the cache holds. The result lives until the next call with this tape, which is reset. Ends the program
 * when a row would be longer than the cache. */
const float *kv_cache_logits(Tape *t, const Gpt2 *model, KvCache *cache, const int *tokens, size_t length,
                             const size_t *n_new);

/* The model as generate() of chapter 12 wants it, reading only the tokens that the cache does not hold. A
 * sequence that does not go on from the cached one starts over. */
typedef struct {
    const Gpt2 *model;
    Tape tape;
    KvCache cache;
    int *held; /* [capacity] the tokens in the cache */
} CachedModel;

CachedModel cached_model_create(const Gpt2 *model, size_t capacity);
LanguageModel cached_model(CachedModel *self);
void cached_model_free(CachedModel *self);

#endif
