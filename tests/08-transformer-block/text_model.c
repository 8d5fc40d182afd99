/* The windows of a text. */
#include "08-transformer-block/experiments/text_model.h"
#include "check/check.h"

enum { LENGTH = 4, BATCH = 8 };

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
