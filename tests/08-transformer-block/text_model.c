/* The windows of a text, and a model that learns them. */
#include "08-transformer-block/experiments/text_model.h"
#include "check/check.h"
#include "math/fit.h"

enum { LENGTH = 4, BATCH = 8, STEPS = 60 };

static const char ring[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0};
static const Text text = {ring, sizeof ring};

Test(text_model, targets_are_the_bytes_behind, .timeout = 10) {
    int tokens[BATCH * LENGTH], targets[BATCH * LENGTH];
    Random r = random_stream(3, 1);
    text_windows(tokens, targets, &text, BATCH, LENGTH, &r);
    for (size_t i = 0; i < BATCH * LENGTH; i++) {
        cr_assert(targets[i] == (tokens[i] + 1) % 5, "behind %d stands %d", tokens[i],
                  targets[i]);
        if (i % LENGTH > 0) cr_assert(tokens[i] == targets[i - 1]);
    }
}

/* A text in which each byte says the next: the loss falls to nearly nothing. */
Test(text_model, learns_what_can_be_known, .timeout = 10) {
    double losses[STEPS];
    TextRun run = {.model = {.block = block_config_gpt2(16, 2),
                             .n_layer = 1,
                             .n_tokens = 5,
                             .length = LENGTH,
                             .std = 0.25f,
                             .std_residual = 0.25f},
                   .text = text,
                   .batch = BATCH,
                   .steps = STEPS,
                   .peak = 1e-2f,
                   .seed = 1};
    SmallModel m = text_model_train(losses, &run);
    cr_assert(losses[0] > 1 && mean_of_last(losses, STEPS, 10) < 0.1,
              "the loss goes from %.3f to %.3f", losses[0],
              mean_of_last(losses, STEPS, 10));
    small_model_free(&m);
}
