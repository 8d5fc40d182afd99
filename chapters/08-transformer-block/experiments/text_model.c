/* A small model that learns to predict the next byte of a text: see text_model.h. */
#include "08-transformer-block/experiments/text_model.h"

#include <stdlib.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "base/memory.h"

enum { STREAM_INIT = 1, STREAM_DATA };

void text_windows(int *tokens, int *targets, const Text *text, size_t batch,
                  size_t length, Random *r) {
    for (size_t b = 0; b < batch; b++) {
        const char *start =
            text->text + random_below(r, (uint32_t)(text->bytes - length));
        for (size_t i = 0; i < length; i++) {
            tokens[b * length + i] = start[i];
            targets[b * length + i] = start[i + 1];
        }
    }
}

SmallModel text_model_train(double *losses, const TextRun *run) {
    size_t length = run->model.length, n = run->batch * length;
    int *tokens = checked_alloc(2 * n, sizeof *tokens), *targets = tokens + n;
    Random init = random_stream(run->seed, STREAM_INIT),
           data = random_stream(run->seed, STREAM_DATA);
    SmallModel m = small_model_create(&run->model, &init);
    AdamW optimizer = adamw_create(&m.params, run->peak, 0);
    Tape t = tape_create(run->seed);
    for (size_t step = 0; step < run->steps; step++) {
        text_windows(tokens, targets, &run->text, run->batch, length, &data);
        tape_reset(&t);
        params_zero_grad(&m.params);
        Tensor *logits = small_model_logits(&t, &m, tokens, run->batch, NULL);
        Tensor *loss = cross_entropy(&t, logits, targets);
        losses[step] = (double)loss->data[0];
        tape_backward(&t, loss);
        optimizer.settings.learning_rate =
            run->peak * (1 - (float)step / (float)run->steps);
        adamw_step(&optimizer, &m.params);
    }
    adamw_free(&optimizer);
    tape_free(&t);
    free(tokens);
    return m;
}
