/* Tests of the evaluation of a text: its three numbers, and what it refuses. Which
 * token is scored by which window is in score_text.c. */
#include "10-gpt2/eval.h"

#include "10-gpt2/model_tokenizer.h"
#include "check/check.h"
#include "check/dies.h"

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

enum { CONTEXT = 8, N = 61 };

typedef struct {
    size_t n, stride;
} Call;

static void evaluate(void *call) {
    const Call *c = call;
    int tokens[N] = {0};
    Gpt2Config config = gpt2_config(19, CONTEXT, 2, 2, 8);
    gpt2_evaluate(gpt2_create(&config, PARAMS_INFER, NULL), tokens, c->n, c->stride);
}

Test(eval, refuses_with_one_line, .timeout = 60) {
    expect_exit(1, "a text of 1 tokens: expected at least 2", evaluate, &(Call){1, 4});
    expect_exit(1, "a text of 0 tokens", evaluate, &(Call){0, 4});
    expect_exit(1, "stride 0: expected 1 to the context, 8", evaluate, &(Call){N, 0});
    expect_exit(1, "stride 9: expected 1 to the context, 8", evaluate, &(Call){N, 9});
    CHECK(model_tokenizer(NULL, "tests/golden/tiny_gpt2", 97) == NULL,
          "a tokenizer comes from nowhere");
}
