/* Chapter 13: the complete GPT-2. Writes text with the KV cache, shows that it writes
 * the same without, and measures both. */
#include <stdio.h>
#include <stdlib.h>

#include "11-training/training_run.h"
#include "13-kv-cache/experiments/experiments.h"
#include "13-kv-cache/kv_cache.h"
#include "13-kv-cache/options.h"
#include "program/claim.h"
#include "math/fit.h"
#include "base/memory.h"
#include "program/program.h"

/* Largest difference of the logits of one forward pass and of the cache, token by
 * token. */
static void demo_equality(const Gpt2 *model) {
    size_t n = model->config.n_ctx, n_vocab = model->config.n_vocab;
    int *tokens = checked_alloc(n, sizeof *tokens);
    Random r = random_create(7);
    for (size_t i = 0; i < n; i++) tokens[i] = (int)random_below(&r, (uint32_t)n_vocab);
    Tape t = tape_for_inference(), cached_tape = tape_for_inference();
    const float *all =
        gpt2_logits(&t, model, &(Gpt2Input){.tokens = tokens, .batch = 1, .length = n})
            ->data;
    KvCache cache = kv_cache_create(&model->config, 1, n);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const float *one =
            kv_cache_logits(&cached_tape, model, &cache, tokens + i, 1, (size_t[]){1});
        worst = larger(worst, largest_difference(one, all + i * n_vocab, n_vocab));
    }
    claim(worst < 1e-5,
          "%zu tokens one by one through the cache: logits within 1e-5 of one forward "
          "pass",
          n);
    free(tokens);
    kv_cache_free(&cache);
    tape_free(&t);
    tape_free(&cached_tape);
}

static void demo(const Settings *settings) {
    if (look_is_asked()) {
        look_at_model(settings);
        return;
    }
    caching_check(settings);
    TextModel m = writing_model(settings->seed);
    if (!model_is_named() && !writing.print_ids && !caching.bench) {
        demo_equality(m.model);
        printf("a model of %zu parameters after a short training on the built-in "
               "corpus goes on:\n",
               params_count(&m.model->params));
    }
    write_with_cache(&m, settings);
    writing_model_free(&m);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"cache-memory", "memory of the cache against the tokens written",
         experiment_cache_memory},
        {"sinks", "perplexity against position with a cache that forgets",
         experiment_sinks},
        {0},
    };
    static const Experiment timed[] = {
        {"time-per-token", "time of a token against its position, small model",
         experiment_time_per_token},
        {"gpt2-124m", "the same for a model of GPT-2's size: 10 times faster",
         experiment_gpt2_124m},
        {0},
    };
    writing.sampling.temperature = 0.8;
    caching.tells_bytes = true;
    return program_run(
        argc, argv,
        &(Program){
            .name = "13-kv-cache",
            .summary = "the complete GPT-2: write text with the KV cache",
            .example = "--model build/model --prompt \"Anna puts\"",
            .options = {model_options, ids_options, pass_options, look_options,
                        writing_options, cache_options},
            .commands = {&write_command, &train_command, &eval_command, &keys_command,
                         &info_command, &dump_command},
            .experiments = experiments,
            .timed = timed,
            .demo = demo,
        });
}
