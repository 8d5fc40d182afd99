/* Tests of several texts at a time: each row as if it were alone. */
#include "13-kv-cache/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "12-generation/options.h"
#include "check/check.h"
#include "check/dies.h"
#include "files/file.h"
#include "check/golden.h"

enum { N_CTX = 24, N_VOCAB = 30, ROWS = 5, NEW = 12 };

static Gpt2 *random_model(void) {
    Gpt2Config config = gpt2_config(N_VOCAB, N_CTX, 2, 2, 16);
    config.init_std = 0.3f;
    Random init = random_create(8);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

/* Prompts of 3, 1, 20, 24 and 7 tokens; the long ones come to the end of the
 * context. */
static const size_t lengths[ROWS] = {3, 1, 20, 24, 7};

static void fill(BatchRow *rows) {
    Random r = random_create(9);
    for (size_t b = 0; b < ROWS; b++) {
        rows[b] = (BatchRow){.n = lengths[b], .random = random_stream(1, b)};
        rows[b].tokens = calloc(lengths[b] + NEW, sizeof(int));
        for (size_t i = 0; i < lengths[b]; i++)
            rows[b].tokens[i] = (int)random_below(&r, N_VOCAB);
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
        size_t n = generate(one->tokens, one->n, plain_model(&plain), settings,
                            &one->random, NULL, NULL);
        CHECK(together[b].n == n, "row %zu has %zu tokens in the batch, %zu alone", b,
              together[b].n, n);
        CHECK(memcmp(together[b].tokens, one->tokens, n * sizeof(int)) == 0,
              "row %zu is another text in the batch", b);
        CHECK(together[b].n_prompt == lengths[b], "row %zu: the prompt had %zu tokens",
              b, together[b].n_prompt);
    }
}

static GenerateSettings settings(bool greedy) {
    GenerateSettings g = {.sampling = sampling_settings(),
                          .max_new_tokens = NEW,
                          .stop_token = NO_STOP_TOKEN};
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
    generate_batch(&(BatchRow){.tokens = tokens, .n = N_CTX + 1}, 1, random_model(),
                   &g);
}

Test(batch, prompt_longer_than_the_context, .timeout = 60) {
    expect_exit(1, "prompt 1 has 25 tokens: expected 1 to 24", too_long, NULL);
}

/* --- the option --batch --- */

typedef struct {
    const char *ids, *path;
    size_t n_texts;
} BatchCall;

static void write_golden_batch(void *argument) {
    const BatchCall *c = argument;
    TextModel m = text_model_load(golden_path("tiny_gpt2"));
    reading.ids = c->ids;
    writing.sampling.greedy = true;
    writing.n_texts = c->n_texts;
    writing.max_new_tokens = 4;
    if (!freopen(c->path, "w", stdout)) abort();
    Transcript transcript = transcript_create(m.tokenizer, false);
    write_batch(&transcript, &m, 1);
}

/* Three prompts, two texts each, in their order; and each is what the prompt gives
 * alone. */
Test(batch, prompts_from_the_command_line, .timeout = 60) {
    const int prompts[3][5] = {{1, 2, 3}, {4, 5, 6, 7, 8}, {2}};
    const size_t n_prompt[3] = {3, 5, 1};
    Gpt2 *model = gpt2_load(golden_path("tiny_gpt2"), PARAMS_MAPPED);
    PlainModel plain = plain_model_create(model);
    GenerateSettings g = settings(true);
    g.max_new_tokens = 4;
    char expected[1000] = "", message[1024], path[] = "/tmp/batch-XXXXXX";
    for (size_t row = 0; row < 6; row++) {
        int tokens[5 + 4];
        size_t b = row / 2;
        memcpy(tokens, prompts[b], n_prompt[b] * sizeof *tokens);
        size_t n =
            generate(tokens, n_prompt[b], plain_model(&plain), &g, NULL, NULL, NULL);
        sprintf(expected + strlen(expected), "--- %zu\n", row + 1);
        for (size_t i = 0; i < n; i++)
            sprintf(expected + strlen(expected), i + 1 < n ? "%d " : "%d\n", tokens[i]);
    }
    CHECK(mkstemp(path) >= 0, "no temporary file");
    BatchCall c = {"1 2 3;4,5,6 7 8; 2;", path, 2};
    int code = exit_code_of(write_golden_batch, &c, message);
    size_t bytes;
    char *got = file_read(path, &bytes);
    remove(path);
    CHECK(code == 0 && strcmp(got, expected) == 0,
          "exit code %d (%s): got\n%sexpected\n%s", code, message, got, expected);
    CHECK(strstr(message, "24 tokens in a batch of 6 texts"), "the statistics are: %s",
          message);
}

static void write_without_a_prompt(void *path) {
    Gpt2Config config = gpt2_config(257, 16, 1, 1, 4);
    TextModel m = {.model = gpt2_create(&config, PARAMS_INFER, NULL),
                   .tokenizer = tokenizer_bytes()};
    writing.sampling.greedy = true;
    writing.max_new_tokens = 1;
    if (!freopen(path, "w", stdout)) abort();
    Transcript transcript = transcript_create(m.tokenizer, false);
    write_batch(&transcript, &m, 1);
}

/* A text without a prompt goes on from a line feed, in a batch too: there it ends no
 * prompt. */
Test(batch, without_a_prompt, .timeout = 60) {
    char message[1024], path[] = "/tmp/batch-XXXXXX";
    CHECK(mkstemp(path) >= 0, "no temporary file");
    int code = exit_code_of(write_without_a_prompt, path, message);
    size_t bytes;
    char *got = file_read(path, &bytes);
    remove(path);
    CHECK(code == 0 && got[0] == '\n', "exit code %d (%s): got '%s'", code, message,
          got);
    CHECK(strstr(message, "1 tokens in a batch of 1 texts"), "the statistics are: %s",
          message);
}
