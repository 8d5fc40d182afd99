/* Tests of the loop that writes: what it stops at, what it emits, and that a seed
 * repeats. */
#include "12-generation/generate.h"

#include <string.h>

#include "check/check.h"
#include "check/dies.h"

/* A model of 5 tokens whose next token is the last one plus one: logit 10 for it, 0 for
 * the others. */
static const float *counting_logits(void *self, const int *tokens, size_t n) {
    float *logits = self;
    for (int v = 0; v < 5; v++) logits[v] = v == (tokens[n - 1] + 1) % 5 ? 10.0f : 0.0f;
    return logits;
}

static LanguageModel counting_model(size_t n_ctx) {
    static float logits[5];
    return (LanguageModel){
        .next_logits = counting_logits, .self = logits, .n_vocab = 5, .n_ctx = n_ctx};
}

static GenerateSettings settings(bool greedy, size_t n) {
    GenerateSettings g = {.sampling = sampling_settings(),
                          .max_new_tokens = n,
                          .stop_token = NO_STOP_TOKEN};
    g.sampling.greedy = greedy;
    return g;
}

static void collect(void *context, int token) {
    int *seen = context;
    seen[++seen[0]] = token;
}

Test(generate, greedy_and_emit, .timeout = 10) {
    int tokens[8] = {2}, seen[8] = {0}, expected[8] = {2, 3, 4, 0, 1, 2, 3, 4};
    GenerateSettings g = settings(true, 7);
    size_t n = generate(tokens, 1, counting_model(100), &g, NULL, collect, seen);
    CHECK(n == 8, "%zu tokens, expected 8", n);
    CHECK(memcmp(tokens, expected, sizeof tokens) == 0,
          "the text is not 2 3 4 0 1 2 3 4");
    CHECK(seen[0] == 7 && memcmp(seen + 1, expected + 1, 7 * sizeof(int)) == 0,
          "%d tokens were emitted, expected 7", seen[0]);
}

Test(generate, stops_at_the_stop_token, .timeout = 10) {
    int tokens[11] = {2};
    GenerateSettings g = settings(true, 10);
    g.stop_token = 0;
    size_t n = generate(tokens, 1, counting_model(100), &g, NULL, NULL, NULL);
    CHECK(n == 4 && tokens[3] == 0,
          "%zu tokens, expected 4: the stop token is part of the text", n);
}

/* A model that can read 3 tokens says what follows the third, and no more. */
Test(generate, stops_at_each_end, .timeout = 10) {
    GenerateSettings g = {.ends = (int[]){1, 2}, .n_ends = 2, .stop_token = 0};
    CHECK(generate_is_stop(&g, 0) && generate_is_stop(&g, 1) &&
              generate_is_stop(&g, 2) && !generate_is_stop(&g, 3),
          "three tokens end a text");
}

Test(generate, stops_when_the_context_is_full, .timeout = 10) {
    int tokens[11] = {0};
    GenerateSettings g = settings(true, 10);
    size_t n = generate(tokens, 1, counting_model(3), &g, NULL, NULL, NULL);
    CHECK(n == 4, "%zu tokens, expected 4", n);
}

Test(generate, a_seed_repeats, .timeout = 10) {
    int a[200] = {0}, b[200] = {0}, c[200] = {0};
    GenerateSettings g = settings(false, 199);
    g.sampling.temperature = 20;
    Random one = random_create(1), again = random_create(1), two = random_create(2);
    generate(a, 1, counting_model(1000), &g, &one, NULL, NULL);
    generate(b, 1, counting_model(1000), &g, &again, NULL, NULL);
    generate(c, 1, counting_model(1000), &g, &two, NULL, NULL);
    CHECK(memcmp(a, b, sizeof a) == 0, "the same seed gives another text");
    CHECK(memcmp(a, c, sizeof a) != 0, "two seeds give the same text");
}

/* With crop the model reads the last 3 tokens and goes on; the whole text still counts
 * for the penalty. */
Test(generate, crop_goes_on, .timeout = 10) {
    int tokens[11] = {0}, expected[11] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0};
    GenerateSettings g = settings(true, 10);
    g.crop = true;
    size_t n = generate(tokens, 1, counting_model(3), &g, NULL, NULL, NULL);
    CHECK(n == 11 && memcmp(tokens, expected, sizeof tokens) == 0,
          "%zu tokens, expected 11", n);
}

typedef struct {
    size_t longest;
    float logits[5];
} Observed;

static const float *observing_logits(void *self, const int *tokens, size_t n) {
    Observed *o = self;
    if (n > o->longest) o->longest = n;
    return counting_logits(o->logits, tokens, n);
}

Test(generate, crop_never_reads_more_than_the_context, .timeout = 10) {
    int tokens[20] = {0, 1, 2, 3, 4, 0};
    Observed o = {0};
    GenerateSettings g = settings(true, 10);
    g.crop = true;
    size_t n = generate(
        tokens, 6,
        (LanguageModel){
            .next_logits = observing_logits, .self = &o, .n_vocab = 5, .n_ctx = 4},
        &g, NULL, NULL, NULL);
    CHECK(n == 16 && o.longest == 4,
          "%zu tokens; the model was given up to %zu, expected 16 and 4", n, o.longest);
    CHECK(tokens[6] == 1, "a long prompt: goes on with %d, expected 1", tokens[6]);
}

/* Greedy from 2: 3 4 0 ... ; 0 stops, but not among the first 5 new tokens. */
Test(generate, no_stop_token_before_min_new_tokens, .timeout = 10) {
    int tokens[11] = {2};
    GenerateSettings g = settings(true, 10);
    g.stop_token = 0;
    g.min_new_tokens = 5;
    size_t n = generate(tokens, 1, counting_model(100), &g, NULL, NULL, NULL);
    for (size_t i = 1; i < 6; i++)
        CHECK(tokens[i] != 0, "new token %zu is the stop token", i);
    CHECK(n > 6, "%zu tokens: it ended before 5 new ones", n);
    g.min_new_tokens = 2;
    n = generate(tokens, 1, counting_model(100), &g, NULL, NULL, NULL);
    CHECK(n == 4 && tokens[3] == 0,
          "the third new token may be the stop token; got %zu tokens", n);
    g.min_new_tokens = 3;
    n = generate(tokens, 1, counting_model(100), &g, NULL, NULL, NULL);
    CHECK(tokens[3] == 1,
          "3 new tokens at least: the third is %d, expected 1, the first of the others",
          tokens[3]);
}

static void no_prompt(void *unused) {
    (void)unused;
    GenerateSettings g = settings(true, 1);
    generate((int[2]){0}, 0, counting_model(3), &g, NULL, NULL, NULL);
}

static void long_prompt(void *unused) {
    (void)unused;
    GenerateSettings g = settings(true, 1);
    generate((int[5]){0, 1, 2, 3}, 4, counting_model(3), &g, NULL, NULL, NULL);
}

Test(generate, refuses_a_prompt_of_the_wrong_length, .timeout = 60) {
    expect_exit(1, "the prompt is empty", no_prompt, NULL);
    expect_exit(1, "the prompt has 4 tokens: the model's context is 3", long_prompt,
                NULL);
}
