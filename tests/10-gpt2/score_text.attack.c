/* An attack on 10/score_text: texts of all lengths at several strides, against one pass
 * for each token. */
#include "10-gpt2/score_text.h"

#include <math.h>

#include "check/check.h"

enum { VOCAB = 11, CONTEXT = 5, LONGEST = 14 };

/* -ln p of tokens[at], of which a window sees `before` tokens. */
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

static void check_text(const Gpt2 *model, size_t n, size_t stride) {
    int all[LONGEST];
    Random random = random_create(n);
    for (size_t i = 0; i < n; i++) all[i] = (int)random_below(&random, VOCAB);
    int *tokens = guarded_copy(all, n, sizeof *all);
    double nats = 0;
    size_t begin = 0, windows = 1;
    for (size_t at = 1; at < n; at++) {
        if (begin + CONTEXT < at) {
            begin += stride;
            windows++;
        }
        nats += loss_of(model, tokens, at, at - begin);
    }
    Evaluation e = score_text(model, tokens, n, stride);
    CHECK_NUMBER("nats", e.nats, nats, 1e-5);
    CHECK(e.scored == n - 1 && e.windows == windows, "%zu scored by %zu windows",
          e.scored, e.windows);
    free(tokens);
}

Test(attack, all_lengths) {
    Gpt2Config config = gpt2_config(VOCAB, CONTEXT, 2, 2, 8);
    config.init_std = 0.5f;
    Random random = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &random);
    for (size_t n = 2; n <= LONGEST; n++) {
        for (size_t stride = 1; stride <= CONTEXT; stride++)
            check_text(model, n, stride);
    }
    gpt2_free(model);
}
