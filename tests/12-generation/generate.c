/* Tests of the loop that writes: what it stops at, what it emits, and that a seed repeats. */
#include "12-generation/generate.h"

#include <string.h>

#include "check.h"
#include "dies.h"

/* A model of 5 tokens whose next token is the last one plus one: logit 10 for it, 0 for the others. */
static const float *counting_logits(void *self, const int *tokens, size_t n) {
    float *logits = self;
    for (int v = 0; v < 5; v++) logits[v] = v == (tokens[n - 1] + 1) % 5 ? 10.0f : 0.0f;
    return logits;
}

static LanguageModel counting_model(size_t n_ctx) {
    static float logits[5];
    return (LanguageModel){counting_logits, logits, 5, n_ctx};
}

static GenerateSettings settings(bool greedy, size_t n) {
    GenerateSettings g = {.sampling = sampling_settings(), .max_new_tokens = n, .stop_token = NO_STOP_TOKEN};
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
    CHECK(memcmp(tokens, expected, sizeof tokens) == 0, "the text is not 2 3 4 0 1 2 3 4");
    CHECK(seen[0] == 7 && memcmp(seen + 1, expected + 1, 7 * sizeof(int)) == 0,
          "%d tokens were emitted, expected 7", seen[0]);
}

Test(generate, stops_at_the_stop_token, .timeout = 10) {
    int tokens[11] = {2};
    GenerateSettings g = settings(true, 10);
    g.stop_token = 0;
    size_t n = generate(tokens, 1, counting_model(100), &g, NULL, NULL, NULL);
    CHECK(n == 4 && tokens[3] == 0, "%zu tokens, expected 4: the stop token is part of the text", n);
}

/* A model that can read 3 tokens says what follows the third, and no more. */
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

static void no_prompt(void *unused) {
    (void)unused;
    GenerateSettings g = settings(true, 1);
    generate((int[1]){0}, 0, counting_model(3), &g, NULL, NULL, NULL);
}

Test(generate, refuses_an_empty_prompt, .timeout = 60) {
    expect_exit(1, "the prompt is empty", no_prompt, NULL);
}
