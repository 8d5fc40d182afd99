/* Tests of several texts at a time: each row as if it were alone. */
#include "13-kv-cache/batch.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dies.h"

enum { N_CTX = 24, N_VOCAB = 30, ROWS = 5, NEW = 12 };

static Gpt2 *random_model(void) {
    Gpt2Config config = gpt2_config(N_VOCAB, N_CTX, 2, 2, 16);
    config.init_std = 0.3f;
    Random init = random_create(8);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

/* Prompts of 3, 1, 20, 24 and 7 tokens; the long ones come to the end of the context. */
static const size_t lengths[ROWS] = {3, 1, 20, 24, 7};

static void fill(BatchRow *rows) {
    Random r = random_create(9);
    for (size_t b = 0; b < ROWS; b++) {
        rows[b] = (BatchRow){.n = lengths[b], .random = random_stream(1, b)};
        rows[b].tokens = calloc(lengths[b] + NEW, sizeof(int));
        for (size_t i = 0; i < lengths[b]; i++) rows[b].tokens[i] = (int)random_below(&r, N_VOCAB);
    }
}

static void check_rows(const GenerateSettings *settings) {
    Gpt2 *model = random_model();
    BatchRow together[ROWS], alone[ROWS];
    fill(together);
    fill(alone);
    generate_batch(together, ROWS, model, settings);
    PlainModel plain = plain_model_create(model);
    for (size_t b = 0; b < ROWS; b++) {
        BatchRow *one = &alone[b];
        size_t n = generate(one->tokens, one->n, plain_model(&plain), settings, &one->random, NULL, NULL);
        CHECK(together[b].n == n, "row %zu has %zu tokens in the batch, %zu alone", b, together[b].n, n);
        CHECK(memcmp(together[b].tokens, one->tokens, n * sizeof(int)) == 0,
              "row %zu is another text in the batch", b);
        CHECK(together[b].n_prompt == lengths[b], "row %zu: the prompt had %zu tokens", b,
              together[b].n_prompt);
    }
}

static GenerateSettings settings(bool greedy) {
    GenerateSettings g = {
        .sampling = sampling_settings(), .max_new_tokens = NEW, .stop_token = NO_STOP_TOKEN};
    g.sampling.greedy = greedy;
    return g;
}

Test(batch, greedy, .timeout = 20) {
    GenerateSettings g = settings(true);
    check_rows(&g);
    g.sampling.repetition_penalty = 1.3;
    check_rows(&g);
}

/* Each row draws from its own random numbers. */
Test(batch, sampled, .timeout = 20) {
    GenerateSettings g = settings(false);
    check_rows(&g);
    g.sampling.top_k = 5;
    check_rows(&g);
}

/* Rows end at different times, and the others are not disturbed. */
Test(batch, stop_tokens, .timeout = 20) {
    GenerateSettings g = settings(false);
    for (g.stop_token = 0; g.stop_token < N_VOCAB; g.stop_token += 3) {
        check_rows(&g);
        g.min_new_tokens = (size_t)g.stop_token % 5;
    }
}

static void too_long(void *unused) {
    (void)unused;
    int tokens[N_CTX + 1 + NEW] = {0};
    GenerateSettings g = settings(true);
    generate_batch(&(BatchRow){.tokens = tokens, .n = N_CTX + 1}, 1, random_model(), &g);
}

Test(batch, prompt_longer_than_the_context, .timeout = 60) {
    expect_exit(1, "prompt 1 has 25 tokens: expected 1 to 24", too_long, NULL);
}
