/* An attack on 10/gpt2_forward: a small model with random parameters, put together here
 * as well: with and without a position table, learned or not, with attention of its own
 * and handed in, with dropout of the embeddings. */
#include "10-gpt2/gpt2_forward.h"

#include <string.h>

#include "05-residual-blocks/dropout_layer.h"
#include "check/check.h"

enum { VOCAB = 11, CONTEXT = 7, LAYERS = 3, C = 4, B = 2, T = 3, SIZE = B * T * C };

static Tensor *reverse(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, -0.7f);
}

static void check_state(const char *what, const Tensor *got, const Tensor *expected) {
    CHECK(got != NULL, "%s is not filled", what);
    CHECK_CLOSE(what, got->data, as_double(expected->data, SIZE), SIZE, 1e-5);
}

static void check_model(PositionKind positions, float embd_dropout,
                        bool own_attention) {
    Gpt2Config config = gpt2_config(VOCAB, CONTEXT, LAYERS, 2, C);
    config.positions = positions;
    config.embd_dropout = embd_dropout;
    Random random = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &random);
    for (size_t i = 0; i < model->params.n; i++) {
        Tensor *p = model->params.items[i].tensor;
        random_fill_normal(&random, p->data, tensor_size(p), 1);
    }
    const int tokens[B * T] = {3, 10, 3, 0, 7, 1}, places[B * T] = {0, 1, 2, 4, 5, 6};
    Layer attention[LAYERS] = {{reverse, NULL}, {reverse, NULL}, {reverse, NULL}};
    Tensor *hidden[LAYERS + 1] = {NULL};
    Gpt2Input input = {.tokens = tokens,
                       .batch = B,
                       .length = T,
                       .positions = places,
                       .attention = own_attention ? NULL : attention,
                       .hidden = hidden};
    Tape t = tape_create(2), again = tape_create(2);
    Tensor *y = gpt2_forward(&t, model, &input);
    float sum[SIZE];
    for (size_t i = 0; i < SIZE; i++) {
        sum[i] = model->wte->data[tokens[i / C] * C + (int)(i % C)];
        if (model->wpe) sum[i] += model->wpe->data[places[i / C] * C + (int)(i % C)];
    }
    Tensor *x =
        dropout(&again, tape_input(&again, 3, (size_t[]){B, T, C}, sum), embd_dropout);
    check_state("hidden[0]", hidden[0], x);
    for (size_t l = 0; l < LAYERS; l++) {
        const Block *b = &model->blocks[l];
        x = block_forward(&again, b,
                          own_attention ? attention_layer(&b->attn) : attention[l], x);
        check_state("the output of a block", hidden[l + 1], x);
    }
    check_state("the final state", y, norm(&again, &model->ln_f, x));
    input.hidden = NULL;
    gpt2_forward(&t, model, &input);
}

Test(attack, models) {
    check_model(POSITIONS_LEARNED, 0, true);
    check_model(POSITIONS_NONE, 0, true);
    check_model(POSITIONS_SINUSOIDAL, 0, true);
    check_model(POSITIONS_LEARNED, 0.4f, false);
}
