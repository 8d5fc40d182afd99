/* The ablation's task with any small model: see digits.h. */
#include "08-transformer-block/problems/digits.h"

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_layer.h"
#include "08-transformer-block/experiments/variants.h"

void digits_train(double *losses, size_t steps, SmallModel *m, const Layer *attention,
                  float rate, uint64_t seed) {
    int tokens[DIGITS_BATCH * DIGITS_LENGTH], targets[DIGITS_BATCH * DIGITS_LENGTH];
    Random data = random_create(seed);
    AdamW optimizer = adamw_create(&m->params, rate, 0);
    Tape t = tape_create(seed);
    for (size_t step = 0; step < steps; step++) {
        digits_draw(tokens, targets, &data);
        tape_reset(&t);
        params_zero_grad(&m->params);
        Tensor *loss = cross_entropy(
            &t, small_model_logits(&t, m, tokens, DIGITS_BATCH, attention), targets);
        losses[step] = (double)loss->data[0];
        tape_backward(&t, loss);
        adamw_step(&optimizer, &m->params);
    }
    adamw_free(&optimizer);
    tape_free(&t);
}
