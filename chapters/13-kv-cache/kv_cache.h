/* The KV cache: keys and values of the tokens so far, which each new token reads. */
#ifndef CHAPTER_13_KV_CACHE_H
#define CHAPTER_13_KV_CACHE_H

#include "10-gpt2/gpt2.h"
#include "12-generation/generate.h"
#include "kernels/thread_tuner.h"

typedef struct {
    size_t n_layer, batch, n_head, head_dim;
    size_t n_kv_head; /* that n_head share; as many in GPT-2 */
    size_t capacity;  /* tokens a row can hold */
    size_t n_sink;    /* with a window: the first n_sink tokens stay, */
    size_t window;    /* and of the others the last `window`; 0: all tokens stay */
    size_t longest; /* tokens a row can have seen: the capacity, or the model's context
                        with a window */
    size_t *length; /* [batch] tokens seen */
    float *keys, *values; /* [n_layer, batch, n_kv_head, capacity, head_dim] */
} KvCache;

/* An empty cache for texts of at most `capacity` tokens; its memory is taken once. */
KvCache kv_cache_create(const Gpt2Config *config, size_t batch, size_t capacity);

/* A cache that holds the first n_sink tokens and the last `window` (exercise
 * sink_window), for texts as long as the model's context. */
KvCache kv_cache_create_window(const Gpt2Config *config, size_t batch, size_t n_sink,
                               size_t window);

/* 2 * n_layer * batch * capacity * n_kv_head * head_dim * 4. */
size_t kv_cache_bytes(const KvCache *cache);
void kv_cache_clear(KvCache *cache);
void kv_cache_free(KvCache *cache);

/* Logits [batch, n_vocab] after n_new[b] more tokens in each row b. tokens is [batch,
 * length], each row filled from the left; tokens after n_new[b] are padding and change
 * nothing. A row with n_new[b] = 0 is skipped; its logits are undefined. Positions go
 * on from the tokens that each row has seen. The result lives until the next call with
 * this tape, which is one for inference and is reset. Ends the program when a row would
 * become too long. */
const float *kv_cache_logits(Tape *t, const Gpt2 *model, KvCache *cache,
                             const int *tokens, size_t length, const size_t *n_new);

/* The model as generate() of chapter 12 wants it, reading only the tokens that the
 * cache has not seen. A sequence that does not go on from the one before starts
 * over. */
typedef struct {
    const Gpt2 *model;
    Tape tape;
    KvCache cache;
    int *seen; /* [cache.longest] the tokens that went through the cache */
    ThreadTuner threads;
} CachedModel;

/* Takes over the cache, which must be of batch 1. */
CachedModel cached_model_create(const Gpt2 *model, KvCache cache);
LanguageModel cached_model(CachedModel *self);
void cached_model_free(CachedModel *self);

#endif
