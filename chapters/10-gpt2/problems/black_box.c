/* A model behind its logits: see black_box.h. */
#include "10-gpt2/problems/black_box.h"

#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gpt2.h"
#include "base/error.h"
#include "base/memory.h"

enum { LAYERS = 2, HEADS = 2, STREAM_INIT = 1, STREAM_MOVE };

struct BlackBox {
    Gpt2 *model;
    Illness illness;
    Tape tape;
    size_t asked, most;
};

/* All numbers somewhere else, as after a training. */
static void move(Params *params, uint64_t seed) {
    Random random = random_stream(seed, STREAM_MOVE);
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        for (size_t k = 0; k < tensor_size(x); k++)
            x->data[k] += 0.3f * (float)random_normal(&random);
    }
}

BlackBox *black_box_create(size_t d_model, Illness illness, uint64_t seed,
                           size_t most_questions) {
    Gpt2Config config = gpt2_config(BOX_VOCAB, BOX_CONTEXT, LAYERS, HEADS, d_model);
    config.block.causal = illness != NO_MASK;
    if (illness == DROPOUT_ON) config.block.resid_dropout = 0.1f;
    Random init = random_stream(seed, STREAM_INIT);
    BlackBox *box = checked_alloc(1, sizeof *box);
    *box = (BlackBox){.model = gpt2_create(&config, PARAMS_INFER, &init),
                      .illness = illness,
                      .tape = tape_for_inference(),
                      .most = most_questions};
    box->tape.training = illness == DROPOUT_ON;
    move(&box->model->params, seed);
    return box;
}

void black_box_free(BlackBox *box) {
    gpt2_free(box->model);
    tape_free(&box->tape);
    free(box);
}

static Tensor *silent(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, 0);
}

void black_box_ask(BlackBox *box, const int *tokens, size_t batch, size_t length,
                   float *logits) {
    static const Layer no_attention[LAYERS] = {{silent, NULL}, {silent, NULL}};
    int positions[BOX_CONTEXT];
    if (batch == 0 || length == 0 || batch > BOX_CONTEXT || length > BOX_CONTEXT ||
        batch * length > BOX_CONTEXT)
        die("a question of %zu rows of %zu tokens, expected at most %d tokens", batch,
            length, BOX_CONTEXT);
    if (++box->asked > box->most) die("more than %zu questions", box->most);
    for (size_t i = 0; i < batch * length; i++)
        positions[i] = box->illness == NO_POSITIONS ? 0 : (int)(i % length);
    Gpt2Input input = {
        .tokens = tokens, .batch = batch, .length = length, .positions = positions};
    if (box->illness == NO_ATTENTION) input.attention = no_attention;
    if (box->illness == LEAKING_ROWS) {
        input.batch = 1;
        input.length = batch * length;
    }
    const Tensor *out = gpt2_logits(&box->tape, box->model, &input);
    memcpy(logits, out->data, tensor_size(out) * sizeof *logits);
    tape_reset(&box->tape);
}
