/* Texts with the cache: see cached_text.h. */
#include "13-kv-cache/cached_text.h"

#include "12-generation/writing.h"
#include "13-kv-cache/kv_cache.h"

void write_cached_texts(const WritingOptions *o, const TextModel *m, uint64_t seed) {
    Prompt prompt = writing_prompt(o, m);
    GenerateSettings how = writing_settings(o, m);
    size_t room = prompt.n + o->max_new_tokens, n_ctx = m->model->config.n_ctx;
    CachedModel cached = cached_model_create(
        m->model, kv_cache_create(&m->model->config, 1, room < n_ctx ? room : n_ctx));
    Transcript transcript = transcript_create(m->tokenizer, o->print_ids);
    write_texts(&transcript, cached_model(&cached), &prompt, &how, o->n_texts, seed);
    transcript_free(&transcript);
    cached_model_free(&cached);
    prompt_free(&prompt);
}
