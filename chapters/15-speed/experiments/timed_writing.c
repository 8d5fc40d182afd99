/* A text, timed: see timed_writing.h. */
#include "15-speed/experiments/timed_writing.h"

#include <math.h>
#include <string.h>

#include "10-gpt2/family.h"
#include "13-kv-cache/kv_cache.h"
#include "14-compression/coded_model.h"
#include "base/clock.h"
#include "base/memory_usage.h"
#include "base/size.h"
#include "checkpoints/directory.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "math/random.h"

enum { PROMPT = 16, TOKENS = 24, LONG_PROMPT = 512, PROMPT_TURNS = 4 };

const Form forms[FORMS] = {{"f32", "build/15-models/decoding"},
                           {"q8_0", "build/15-models/decoding-q8_0.gguf"},
                           {"q4_0", "build/15-models/decoding-q4_0.gguf"}};

void make_form_files(const Settings *settings) {
    Gpt2Config config =
        settings->quick ? gpt2_config(512, 64, 2, 4, 128) : gpt2_named_config("gpt2");
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    make_directory("build/15-models");
    for (size_t f = 0; f < FORMS; f++) {
        Coded coded = coded_begin(model);
        double value;
        if (f != F32)
            code_model(&coded, codec_find(forms[f].name, &value), value, NULL, NULL);
        family_save(model, NULL, forms[f].path);
        coded_undo(&coded);
    }
    gpt2_free(model);
}

static void lay_out(Gpt2 *model, Reading how) {
    if (how == IN_INTEGERS) gpt2_use_integers(model);
    if (how != AS_FILED) gpt2_repack(model);
}

Timed time_writing(const char *path, size_t threads, Reading how) {
    threads_use(threads);
    double before = memory_usage_bytes(), started = clock_seconds();
    Gpt2 *model = coded_model_load(path);
    double loaded = clock_seconds();
    /* A token needs one row of the positions. */
    Timed t = {.token = INFINITY,
               .bytes = (double)(params_bytes(&model->params) -
                                 tensor_size(model->wpe) * sizeof(float))};
    lay_out(model, how);
    t.prepare = clock_seconds() - loaded;
    KvCache cache = kv_cache_create(&model->config, 1, PROMPT + TOKENS);
    Tape tape = tape_for_inference();
    int tokens[PROMPT];
    for (int i = 0; i < PROMPT; i++) tokens[i] = 31 * i % (int)model->config.n_vocab;
    const float *logits =
        kv_cache_logits(&tape, model, &cache, tokens, PROMPT, (size_t[]){PROMPT});
    t.first = clock_seconds() - started;
    for (int i = 0; i < TOKENS; i++) {
        started = clock_seconds_of(threads);
        logits = kv_cache_logits(&tape, model, &cache, tokens + i % PROMPT, 1,
                                 (size_t[]){1});
        t.token = smaller(t.token, clock_seconds_of(threads) - started);
    }
    memcpy(&t.last, logits, sizeof t.last);
    t.resident = memory_usage_bytes() - before;
    kv_cache_free(&cache);
    tape_free(&tape);
    gpt2_free(model);
    memory_usage_trim();
    return t;
}

double time_prompt(const char *path, size_t threads, Reading how) {
    static const int tokens[LONG_PROMPT];
    double best = INFINITY;
    threads_use(threads);
    Gpt2 *model = coded_model_load(path);
    lay_out(model, how);
    const size_t n = size_min(LONG_PROMPT, model->config.n_ctx);
    KvCache cache = kv_cache_create(&model->config, 1, n);
    Tape tape = tape_for_inference();
    for (int i = 0; i < PROMPT_TURNS; i++) {
        kv_cache_clear(&cache);
        double started = clock_seconds_of(threads);
        kv_cache_logits(&tape, model, &cache, tokens, n, &n);
        best = smaller(best, clock_seconds_of(threads) - started);
    }
    kv_cache_free(&cache);
    tape_free(&tape);
    gpt2_free(model);
    memory_usage_trim();
    return best;
}
