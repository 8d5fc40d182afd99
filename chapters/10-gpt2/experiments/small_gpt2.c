/* See small_gpt2.h. */
#include "10-gpt2/experiments/small_gpt2.h"

#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "text/corpus.h"
#include "base/memory.h"
#include "program/progress.h"

Bytes small_gpt2_text(uint64_t seed, size_t least) {
    CorpusText text = corpus_generate(seed, least);
    Bytes b = {.tokens = checked_alloc(text.bytes, sizeof(int)), .n = text.bytes};
    for (size_t i = 0; i < b.n; i++) b.tokens[i] = (unsigned char)text.text[i];
    free(text.text);
    return b;
}

Gpt2 *small_gpt2_train(const Bytes *text, size_t steps, uint64_t seed) {
    enum { BATCH = 16 };
    Random random = random_create(seed);
    Gpt2Config config = gpt2_config(SMALL_VOCAB, SMALL_CONTEXT, 2, 4, SMALL_WIDTH);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &random);
    AdamW optimizer = adamw_create(&model->params, 3e-3f, 0.1f);
    Tape t = tape_create(seed);
    int inputs[BATCH * SMALL_CONTEXT], targets[BATCH * SMALL_CONTEXT];
    Progress bar = progress_begin("training", steps);
    for (size_t step = 0; step < steps; step++) {
        for (size_t b = 0; b < BATCH; b++) {
            const int *from =
                text->tokens +
                random_below(&random, (uint32_t)(text->n - SMALL_CONTEXT));
            for (size_t i = 0; i < SMALL_CONTEXT; i++) {
                inputs[b * SMALL_CONTEXT + i] = from[i];
                targets[b * SMALL_CONTEXT + i] = from[i + 1];
            }
        }
        params_zero_grad(&model->params);
        Tensor *loss = gpt2_loss(
            &t, model,
            &(Gpt2Input){.tokens = inputs, .batch = BATCH, .length = SMALL_CONTEXT},
            targets);
        tape_backward(&t, loss);
        progress_update(&bar, step + 1, "loss %.3f", (double)loss->data[0]);
        /* Falling to 0, or the last few steps decide too much. */
        optimizer.settings.learning_rate = 3e-3f * (float)(steps - step) / (float)steps;
        adamw_step(&optimizer, &model->params);
        tape_reset(&t);
    }
    progress_end(&bar);
    tape_free(&t);
    adamw_free(&optimizer);
    return model;
}
