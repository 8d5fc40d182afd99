/* GPT-2 124M: a training step, decoding, reading a prompt. */
#include <stdio.h>
#include <stdlib.h>

#include "13-kv-cache/kv_cache.h"
#include "bench.h"
#include "base/clock.h"
#include "math/fit.h"

double bench_train_seconds(Gpt2 *model, AdamW *optimizer, Tape *t,
                           const Gpt2Input *input) {
    double started = clock_seconds();
    tape_reset(t);
    params_zero_grad(&model->params);
    tape_backward(t, gpt2_loss(t, model, input, input->tokens + 1));
    adamw_step(optimizer, &model->params);
    return clock_seconds() - started;
}

static const char *plural(size_t n) {
    return n > 1 ? "s" : "";
}

static void print_ratio(Csv *csv, const char *what, size_t threads, Spread time,
                        double bound) {
    printf("\n%s, %zu thread%s: %.4g s (spread %.0f %%), bound %.4g s: %.2f of it\n",
           what, threads, plural(threads), time.middle, 100 * time.spread, bound,
           bound / time.middle);
    csv_row(csv, "%s,%zu,%.4g,%.4g,%.4g,%.2g", what, threads, time.middle, bound,
            bound / time.middle, time.spread);
}

void bench_training(Gpt2 *model, Csv *csv, Csv *parts, size_t threads) {
    enum { TOKENS = 256, WARM_UP = 2, STEPS = 5 };
    static int tokens[TOKENS + 1];
    Random r = random_create(1);
    for (size_t i = 0; i <= TOKENS; i++)
        tokens[i] = (int)random_below(&r, (uint32_t)model->config.n_vocab);
    bench_threads(threads);
    AdamW optimizer = adamw_create(&model->params, 1e-5f, 0.1f);
    Tape t = tape_for_steps(1);
    Gpt2Input input = {.tokens = tokens, .batch = 4, .length = 64};
    double seconds[STEPS], rates[STEPS], sum = 0;
    for (size_t i = 0; i < WARM_UP; i++)
        bench_train_seconds(model, &optimizer, &t, &input);
    parts_start();
    for (size_t i = 0; i < STEPS; i++) {
        rates[i] = yardstick_product_rate(threads);
        sum += seconds[i] = bench_train_seconds(model, &optimizer, &t, &input);
    }
    Spread step = bench_spread(seconds, STEPS);
    double floor = 6.0 * (double)params_count(&model->params) * TOKENS /
                   quantile(rates, STEPS, 0.5);
    printf("\ntraining step, 4 x 64 tokens, %zu thread%s: %.3f s (spread %.0f %%) = "
           "%.2f of the floor of "
           "%.3f s (6 N "
           "tokens / rate); activations %.0f MB\n",
           threads, plural(threads), step.middle, 100 * step.spread,
           step.middle / floor, floor, (double)t.arena.peak / 1e6);
    csv_row(csv, "train,%zu,%.4g,%.4g,%.4g,%.2g", threads, step.middle, floor,
            step.middle / floor, step.spread);
    parts_print(parts, "train", threads, sum, STEPS);
    adamw_free(&optimizer);
    tape_free(&t);
}

/* Seconds until the logits of the last of n new tokens are there. */
static double read_seconds(Tape *t, const Gpt2 *model, KvCache *cache,
                           const int *tokens, size_t n) {
    double started = clock_seconds();
    kv_cache_logits(t, model, cache, tokens, n, &n);
    return clock_seconds() - started;
}

void bench_decoding(Gpt2 *model, Csv *csv, Csv *parts, size_t threads) {
    enum { WARM_UP = 2, STEPS = 21 };
    static const int tokens[1];
    bench_threads(threads);
    Tape t = tape_for_inference();
    KvCache cache = kv_cache_create(&model->config, 1, model->config.n_ctx);
    double token[STEPS], reading[STEPS], sum = 0;
    for (size_t r = 0; r < WARM_UP; r++)
        read_seconds(&t, model, &cache, tokens, 1); /* how much memory it takes */
    parts_start();
    for (size_t r = 0; r < STEPS; r++) {
        sum += token[r] = read_seconds(&t, model, &cache, tokens, 1);
        reading[r] = yardstick_read_params(&model->params);
    }
    /* A token needs one row of the position table. */
    double all = (double)params_count(&model->params),
           needed = all - (double)tensor_size(model->wpe);
    print_ratio(csv, "decode", threads, bench_spread(token, STEPS),
                needed / all * quantile(reading, STEPS, 0.5));
    parts_print(parts, "decode", threads, sum, STEPS);
    kv_cache_free(&cache);
    tape_free(&t);
}

void bench_prompt(Gpt2 *model, Csv *csv, Csv *parts, size_t threads) {
    enum { PROMPT = 512, WARM_UP = 2, PROMPTS = 5 };
    static const int tokens[PROMPT];
    bench_threads(threads);
    Tape t = tape_for_inference();
    KvCache cache = kv_cache_create(&model->config, 1, model->config.n_ctx);
    double prompt[PROMPTS], rates[PROMPTS], sum = 0;
    for (size_t r = 0; r < WARM_UP + PROMPTS; r++) {
        if (r == WARM_UP) parts_start();
        if (r >= WARM_UP) rates[r - WARM_UP] = yardstick_product_rate(threads);
        kv_cache_clear(&cache);
        double seconds = read_seconds(&t, model, &cache, tokens, PROMPT);
        if (r >= WARM_UP) sum += prompt[r - WARM_UP] = seconds;
    }
    /* The head reads one position only, and attention's products are not counted. */
    size_t embeddings = tensor_size(model->wte) + tensor_size(model->wpe);
    double in_blocks = (double)(params_count(&model->params) - embeddings);
    print_ratio(csv, "prompt", threads, bench_spread(prompt, PROMPTS),
                2.0 * in_blocks * PROMPT / quantile(rates, PROMPTS, 0.5));
    parts_print(parts, "prompt", threads, sum, PROMPTS);
    kv_cache_free(&cache);
    tape_free(&t);
}
