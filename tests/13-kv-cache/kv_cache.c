/* Tests of the cache as a whole: the same text, the same logits, any number of tokens
 * at a time, rows of different length. */
#include "13-kv-cache/kv_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"

static Gpt2 *golden_model(void) {
    return gpt2_load(golden_path("tiny_gpt2"), PARAMS_MAPPED);
}

static GenerateSettings greedy(size_t n) {
    GenerateSettings g = {.sampling = sampling_settings(),
                          .max_new_tokens = n,
                          .stop_token = NO_STOP_TOKEN};
    g.sampling.greedy = true;
    return g;
}

/* PyTorch's text after the golden prompt, with and without the cache, to the end of the
 * context. */
static void golden_greedy(const char *expected_name, bool use_cache) {
    const char *family = "tiny_gpt2/golden_f64";
    Gpt2 *model = golden_model();
    size_t n_prompt, n_new;
    int *prompt = golden_int(family, NULL, "prompt", &n_prompt),
        *expected = golden_int(family, NULL, expected_name, &n_new);
    int *tokens = calloc(n_prompt + n_new, sizeof *tokens);
    memcpy(tokens, prompt, n_prompt * sizeof *tokens);
    CachedModel cached = cached_model_create(
        model, kv_cache_create(&model->config, 1, model->config.n_ctx));
    PlainModel plain = plain_model_create(model);
    GenerateSettings settings = greedy(n_new);
    settings.crop = true; /* only greedy_crop comes to the end of the context */
    size_t n = generate(tokens, n_prompt,
                        use_cache ? cached_model(&cached) : plain_model(&plain),
                        &settings, NULL, NULL, NULL);
    CHECK(n == n_prompt + n_new, "%zu tokens, expected %zu", n, n_prompt + n_new);
    for (size_t i = 0; i < n_new; i++) {
        CHECK(tokens[n_prompt + i] == expected[i], "new token %zu is %d, expected %d",
              i, tokens[n_prompt + i], expected[i]);
    }
}

Test(kv_cache, greedy_text_with_cache, .timeout = 20) {
    golden_greedy("greedy_new", true);
}
Test(kv_cache, greedy_text_without_cache, .timeout = 20) {
    golden_greedy("greedy_new", false);
}
Test(kv_cache, greedy_text_to_the_end_of_the_context, .timeout = 20) {
    golden_greedy("greedy_full_context", true);
    golden_greedy("greedy_full_context", false);
}
Test(kv_cache, greedy_text_past_the_context, .timeout = 20) {
    golden_greedy("greedy_crop", true);
    golden_greedy("greedy_crop", false);
}

static Gpt2 *random_model(void) {
    Gpt2Config config = gpt2_config(50, 40, 3, 4, 32);
    config.init_std = 0.2f; /* large enough for the attention to matter */
    Random init = random_create(3);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

static double *whole_logits(const Gpt2 *model, const int *tokens, size_t n) {
    Tape t = tape_for_inference();
    Tensor *logits =
        gpt2_logits(&t, model, &(Gpt2Input){.tokens = tokens, .batch = 1, .length = n});
    return as_double(logits->data, tensor_size(logits));
}

/* A thousand random prompts: the same greedy text with and without the cache, also past
 * the context. */
Test(kv_cache, a_thousand_prompts, .timeout = 60) {
    enum { PROMPTS = 1000, LONGEST = 20, NEW = 12, N_CTX = 24 };
    Gpt2Config config = gpt2_config(40, N_CTX, 2, 2, 16);
    config.init_std = 0.3f;
    Random init = random_create(5), r = random_create(6);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    CachedModel cached = cached_model_create(model, kv_cache_create(&config, 1, N_CTX));
    PlainModel plain = plain_model_create(model);
    GenerateSettings settings = greedy(NEW);
    settings.crop = true;
    size_t n_different = 0;
    for (size_t i = 0; i < PROMPTS; i++) {
        int a[LONGEST + NEW], b[LONGEST + NEW];
        size_t n = 1 + random_below(&r, LONGEST);
        for (size_t j = 0; j < n; j++) a[j] = b[j] = (int)random_below(&r, 40);
        generate(a, n, cached_model(&cached), &settings, NULL, NULL, NULL);
        generate(b, n, plain_model(&plain), &settings, NULL, NULL, NULL);
        CHECK(memcmp(a, b, (n + NEW) * sizeof *a) == 0,
              "prompt %zu of %zu tokens: another text with the cache", i, n);
        n_different += a[n] != a[n + 1];
    }
    CHECK(n_different > PROMPTS / 4,
          "the model writes the same token all the time: this test sees nothing");
}

/* A prompt at once, then pieces of 1, 3 and 1:
 * every piece's last logits are those of one whole forward pass. */
Test(kv_cache, pieces_of_any_length, .timeout = 20) {
    Gpt2 *model = random_model();
    enum { N = 20 };
    int tokens[N];
    Random r = random_create(1);
    for (size_t i = 0; i < N; i++) tokens[i] = (int)random_below(&r, 50);
    double *expected = whole_logits(model, tokens, N);
    KvCache cache = kv_cache_create(&model->config, 1, N);
    Tape t = tape_for_inference();
    const size_t pieces[] = {7, 1, 3, 1, 8};
    size_t at = 0;
    for (size_t i = 0; i < 5; i++) {
        const float *got =
            kv_cache_logits(&t, model, &cache, tokens + at, pieces[i], &pieces[i]);
        at += pieces[i];
        CHECK_CLOSE("logits", got, expected + (at - 1) * 50, 50, 1e-5);
    }
    kv_cache_clear(&cache);
    const float *again = kv_cache_logits(&t, model, &cache, tokens, 5, (size_t[]){5});
    CHECK_CLOSE("logits after kv_cache_clear", again, expected + 4 * 50, 50, 1e-5);
}

/* Three prompts of 2, 5 and 3 tokens in one pass, then token by token: each row as if
 * it were alone. */
Test(kv_cache, rows_of_different_length, .timeout = 20) {
    Gpt2 *model = random_model();
    enum { ROWS = 3, LONGEST = 5, STEPS = 4 };
    const size_t length[ROWS] = {2, 5, 3};
    int rows[ROWS][LONGEST + STEPS], padded[ROWS * LONGEST] = {0};
    Random r = random_create(2);
    for (size_t b = 0; b < ROWS; b++) {
        for (size_t i = 0; i < LONGEST + STEPS; i++)
            rows[b][i] = (int)random_below(&r, 50);
        memcpy(padded + b * LONGEST, rows[b], length[b] * sizeof(int));
    }
    KvCache cache = kv_cache_create(&model->config, ROWS, LONGEST + STEPS);
    Tape t = tape_for_inference();
    const float *got = kv_cache_logits(&t, model, &cache, padded, LONGEST, length);
    for (size_t step = 0; step <= STEPS; step++) {
        for (size_t b = 0; b < ROWS; b++) {
            double *expected = whole_logits(model, rows[b], length[b] + step);
            CHECK_CLOSE("logits of a row", got + b * 50,
                        expected + (length[b] + step - 1) * 50, 50, 1e-5);
        }
        if (step == STEPS) break;
        int next[ROWS];
        for (size_t b = 0; b < ROWS; b++) next[b] = rows[b][length[b] + step];
        got = kv_cache_logits(&t, model, &cache, next, 1, (size_t[]){1, 1, 1});
    }
}

/* A second prompt through the same model must not see the first. */
Test(kv_cache, a_second_prompt_starts_over, .timeout = 20) {
    Gpt2 *model = random_model();
    CachedModel cached =
        cached_model_create(model, kv_cache_create(&model->config, 1, 40));
    LanguageModel lm = cached_model(&cached);
    const int first[5] = {1, 2, 3, 4, 5}, second[3] = {1, 9, 3};
    lm.next_logits(lm.self, first, 5);
    const float *got = lm.next_logits(lm.self, second, 3);
    CHECK_CLOSE("logits of the second prompt", got,
                whole_logits(model, second, 3) + 2 * 50, 50, 1e-5);
    got = lm.next_logits(lm.self, second, 3);
    CHECK_CLOSE("logits of the same prompt again", got,
                whole_logits(model, second, 3) + 2 * 50, 50, 1e-5);
}

Test(kv_cache, memory_is_what_the_formula_says, .timeout = 20) {
    Gpt2Config config = gpt2_config(50257, 1024, 12, 12, 768);
    KvCache cache = kv_cache_create(&config, 1, 1024);
    CHECK(kv_cache_bytes(&cache) == (size_t)2 * 12 * 1024 * 768 * 4,
          "the cache of GPT-2 small takes %zu bytes", kv_cache_bytes(&cache));
}

/* A row with no new tokens rests: its cache and what comes later stay as they would
 * be. */
Test(kv_cache, a_row_rests, .timeout = 20) {
    Gpt2 *model = random_model();
    const int tokens[4] = {3, 1, 4, 1};
    double *expected = whole_logits(model, tokens, 4);
    /* row 0 is full when row 1 goes on alone */
    KvCache cache = kv_cache_create(&model->config, 2, 4);
    Tape t = tape_for_inference();
    kv_cache_logits(&t, model, &cache, (int[]){3, 1, 4, 1, 3, 1, 0, 0}, 4,
                    (size_t[]){4, 2});
    CHECK(cache.length[0] == 4 && cache.length[1] == 2,
          "the rows have seen %zu and %zu tokens", cache.length[0], cache.length[1]);
    const float *got =
        kv_cache_logits(&t, model, &cache, (int[]){0, 4}, 1, (size_t[]){0, 1});
    CHECK_CLOSE("logits of the row that goes on", got + 50, expected + 2 * 50, 50,
                1e-5);
    got = kv_cache_logits(&t, model, &cache, (int[]){0, 1}, 1, (size_t[]){0, 1});
    CHECK_CLOSE("logits of the row that goes on", got + 50, expected + 3 * 50, 50,
                1e-5);
    CHECK(cache.length[0] == 4, "the row that rests has seen %zu tokens, expected 4",
          cache.length[0]);
}

/* --- a window with sinks, against attention that sees all tokens but is told which
 * ones count --- */

enum { N_SINK = 2, WINDOW = 5, MOST = 40 };

/* Attention over the whole text in double, each token looking at the first N_SINK and
 * the last WINDOW. */
static Tensor *windowed_forward(Tape *t, const void *self, Tensor *x) {
    const Attention *a = self;
    Tensor *qkv = linear(t, &a->c_attn, x), *mixed = tape_tensor(t, 3, x->shape, false);
    size_t n = x->shape[1], dim = x->shape[2], head_dim = dim / a->config.n_head;
    for (size_t at = 0; at < n * dim; at += head_dim) { /* one head of one token */
        size_t row = at / dim, column = at % dim;
        double weights[MOST] = {0}, sum = 0;
        for (size_t s = 0; s <= row; s++) {
            if (s >= N_SINK && s + WINDOW <= row) continue;
            double score = 0;
            for (size_t i = column; i < column + head_dim; i++)
                score += (double)qkv->data[row * 3 * dim + i] *
                         (double)qkv->data[s * 3 * dim + dim + i];
            sum += weights[s] = exp(score / sqrt((double)head_dim));
        }
        for (size_t i = 0; i < head_dim; i++) {
            double value = 0;
            for (size_t s = 0; s <= row; s++)
                value += weights[s] / sum *
                         (double)qkv->data[s * 3 * dim + 2 * dim + column + i];
            mixed->data[at + i] = (float)value;
        }
    }
    return linear(t, &a->c_proj, mixed);
}

Test(kv_cache, window_with_sinks, .timeout = 20) {
    Gpt2 *model = random_model();
    enum { N = 30 };
    int tokens[N];
    Random r = random_create(4);
    for (size_t i = 0; i < N; i++) tokens[i] = (int)random_below(&r, 50);
    Layer layers[3];
    for (size_t l = 0; l < 3; l++)
        layers[l] = (Layer){windowed_forward, &model->blocks[l].attn};
    Tape t = tape_for_inference(), cached_tape = tape_for_inference();
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = N, .attention = layers};
    double *expected = as_double(gpt2_logits(&t, model, &input)->data, N * 50),
           *whole = whole_logits(model, tokens, N);
    KvCache cache = kv_cache_create_window(&model->config, 1, N_SINK, WINDOW);
    /* a long prompt */
    const float *got =
        kv_cache_logits(&cached_tape, model, &cache, tokens, 12, (size_t[]){12});
    CHECK_CLOSE("logits after the prompt", got, expected + 11 * 50, 50, 1e-5,
                {"nothing is forgotten", whole + 11 * 50});
    for (size_t i = 12; i < N; i++) {
        got =
            kv_cache_logits(&cached_tape, model, &cache, tokens + i, 1, (size_t[]){1});
        CHECK_CLOSE("logits of a token", got, expected + i * 50, 50, 1e-5,
                    {"nothing is forgotten", whole + i * 50});
    }
}

/* As long as all fits, a window changes nothing, to the last bit; its memory is that of
 * its slots. */
Test(kv_cache, a_window_that_is_not_full, .timeout = 20) {
    Gpt2 *model = random_model();
    const int tokens[7] = {9, 8, 7, 6, 5, 4, 3};
    KvCache whole = kv_cache_create(&model->config, 1, 7),
            part = kv_cache_create_window(&model->config, 1, N_SINK, WINDOW);
    Tape a = tape_for_inference(), b = tape_for_inference();
    for (size_t i = 0; i < 7; i++) {
        const float *x =
            kv_cache_logits(&a, model, &whole, tokens + i, 1, (size_t[]){1});
        const float *y =
            kv_cache_logits(&b, model, &part, tokens + i, 1, (size_t[]){1});
        CHECK(memcmp(x, y, 50 * sizeof *x) == 0,
              "token %zu: other logits in a window of 7 slots", i);
    }
    CHECK(kv_cache_bytes(&part) == kv_cache_bytes(&whole),
          "7 slots take %zu and %zu bytes", kv_cache_bytes(&part),
          kv_cache_bytes(&whole));
}

static void past_the_context(void *unused) {
    (void)unused;
    Gpt2 *model = random_model();
    KvCache cache = kv_cache_create_window(&model->config, 1, N_SINK, WINDOW);
    Tape t = tape_for_inference();
    int tokens[41] = {0};
    kv_cache_logits(&t, model, &cache, tokens, 41, (size_t[]){41});
}

static void no_window(void *unused) {
    (void)unused;
    kv_cache_create_window(&random_model()->config, 1, 4, 0);
}

/* Learned positions end with the context, even if the cache forgets. */
Test(kv_cache, a_window_ends_with_the_context, .timeout = 60) {
    expect_exit(1, "0 tokens were seen and 41 are new: the cache is for 40",
                past_the_context, NULL);
    expect_exit(1, "a window of 0 tokens", no_window, NULL);
}

static void overfill(void *unused) {
    (void)unused;
    Gpt2 *model = random_model();
    KvCache cache = kv_cache_create(&model->config, 1, 3);
    Tape t = tape_for_inference();
    kv_cache_logits(&t, model, &cache, (int[]){1, 2, 3}, 3, (size_t[]){3});
    kv_cache_logits(&t, model, &cache, (int[]){1}, 1, (size_t[]){1});
}

static void beyond_the_context(void *unused) {
    (void)unused;
    kv_cache_create(&random_model()->config, 1, 41);
}

/* As many layers and heads, of twice the width. */
static void another_width(void *unused) {
    (void)unused;
    Gpt2 *model = random_model();
    Gpt2Config wide = model->config;
    wide.block.d_model *= 2;
    KvCache cache = kv_cache_create(&wide, 1, 3);
    Tape t = tape_for_inference();
    kv_cache_logits(&t, model, &cache, (int[]){1, 2, 3}, 3, (size_t[]){3});
}

Test(kv_cache, refuses_another_models_cache, .timeout = 60) {
    expect_exit(1, "the cache is of another model: layers ", another_width, NULL);
}

Test(kv_cache, refuses_more_than_it_holds, .timeout = 60) {
    expect_exit(1, "3 tokens were seen and 1 are new: the cache is for 3", overfill,
                NULL);
    expect_exit(1, "a cache of 41 tokens: the model's context is 40",
                beyond_the_context, NULL);
}
