/* Tests of the evaluation of a text: each token's loss computed again, on its own, from
 * the definition. */
#include "10-gpt2/eval.h"

#include <math.h>
#include <stdlib.h>

#include "10-gpt2/model_tokenizer.h"
#include "check/check.h"
#include "check/dies.h"

enum { VOCAB = 19, CONTEXT = 8, N = 61 };

static Gpt2 *small_model(void) {
    Gpt2Config config = gpt2_config(VOCAB, CONTEXT, 2, 2, 8);
    config.init_std = 0.5f; /* so that the context matters */
    Random init = random_create(1);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

static void fill_tokens(int *tokens, size_t n) {
    Random random = random_create(2);
    for (size_t i = 0; i < n; i++) tokens[i] = (int)random_below(&random, VOCAB);
}

/* -ln p of tokens[at] given the `before` tokens in front of it: a forward pass for this
 * token alone. */
static double loss_of(const Gpt2 *model, const int *tokens, size_t at, size_t before) {
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = tokens + at - before, .batch = 1, .length = before};
    const float *logits = gpt2_logits(&t, model, &input)->data + (before - 1) * VOCAB;
    double sum = 0;
    for (size_t v = 0; v < VOCAB; v++) sum += exp((double)logits[v]);
    double loss = log(sum) - (double)logits[tokens[at]];
    tape_free(&t);
    return loss;
}

/* Token `at` is scored by the first window that holds the token before it, window w
 * being tokens w stride to w stride + CONTEXT - 1. */
static double by_definition(const Gpt2 *model, const int *tokens, size_t n,
                            size_t stride, size_t *least_context) {
    double nats = 0;
    for (size_t at = 1; at < n; at++) {
        size_t begin = 0;
        while (begin + CONTEXT - 1 < at - 1) begin += stride;
        size_t before = at - begin;
        if (at >= CONTEXT && before < *least_context) *least_context = before;
        nats += loss_of(model, tokens, at, before);
    }
    return nats;
}

Test(eval, equals_a_forward_pass_for_each_token, .timeout = 60) {
    Gpt2 *model = small_model();
    int tokens[N];
    fill_tokens(tokens, N);
    const size_t strides[] = {8, 7, 5, 4, 2, 1},
                 lengths[] = {2, 3, 8, 9, 10, 16, 17, 18, N};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            size_t stride = strides[i], n = lengths[k], least = CONTEXT;
            Evaluation e = gpt2_evaluate(model, tokens, n, stride);
            double expected = by_definition(model, tokens, n, stride, &least);
            CHECK(e.scored == n - 1,
                  "%zu of %zu tokens are scored, expected all but the first", e.scored,
                  n);
            CHECK(fabs(e.nats - expected) < 1e-4,
                  "stride %zu, %zu tokens: %.6f nats, expected %.6f", stride, n, e.nats,
                  expected);
            CHECK(least >= CONTEXT - stride,
                  "stride %zu: a token has only %zu before it", stride, least);
        }
    }
}

/* More context than the windows give cannot be had: stride 1 gives every token all that
 * fits. */
Test(eval, strides_differ, .timeout = 60) {
    Gpt2 *model = small_model();
    int tokens[N];
    fill_tokens(tokens, N);
    Evaluation far = gpt2_evaluate(model, tokens, N, CONTEXT),
               near = gpt2_evaluate(model, tokens, N, 1);
    CHECK(fabs(far.nats - near.nats) > 0.1,
          "strides 8 and 1 give the same %.3f nats: the test sees nothing", far.nats);
    CHECK(far.windows == 8 && near.windows == N - CONTEXT, "windows: %zu and %zu",
          far.windows, near.windows);
}

Test(eval, loss_perplexity_and_bits, .timeout = 10) {
    Evaluation e = {.scored = 100, .windows = 1, .nats = 300};
    CHECK_NUMBER("loss", evaluation_loss(&e), 3.0, 1e-6);
    CHECK_NUMBER("perplexity", evaluation_perplexity(&e), 20.085536923187668, 1e-6);
    CHECK_NUMBER("bits per byte", evaluation_bits_per_byte(&e, 400), 1.0820212806667227,
                 1e-6);
}

/* A model that knows nothing costs log2 V bits a token. */
Test(eval, uniform_model, .timeout = 10) {
    Gpt2Config config = gpt2_config(256, 16, 1, 1, 4);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, NULL);
    int tokens[40] = {0};
    Evaluation e = gpt2_evaluate(model, tokens, 40, 16);
    CHECK_NUMBER("perplexity", evaluation_perplexity(&e), 256.0, 1e-5);
    CHECK_NUMBER("bits per byte of the 39 scored bytes",
                 evaluation_bits_per_byte(&e, 39), 8.0, 1e-5);
}

typedef struct {
    size_t n, stride;
} Call;

static void evaluate(void *call) {
    const Call *c = call;
    int tokens[N] = {0};
    gpt2_evaluate(small_model(), tokens, c->n, c->stride);
}

Test(eval, refuses_with_one_line, .timeout = 60) {
    expect_exit(1, "a text of 1 tokens: expected at least 2", evaluate, &(Call){1, 4});
    expect_exit(1, "a text of 0 tokens", evaluate, &(Call){0, 4});
    expect_exit(1, "stride 0: expected 1 to the context, 8", evaluate, &(Call){N, 0});
    expect_exit(1, "stride 9: expected 1 to the context, 8", evaluate, &(Call){N, 9});
    CHECK(model_tokenizer(NULL, "tests/golden/tiny_gpt2", 97) == NULL,
          "a tokenizer comes from nowhere");
}
