/* Tests of the reading of keys and values, on a model in which one of each was
 * planted. */
#include "10-gpt2/keys.h"

#include <stdlib.h>

#include "check/check.h"

enum {
    VOCAB = 7,
    CONTEXT = 5,
    WIDTH = 8,
    D_FF = 4 * WIDTH,
    N = 23,
    UNIT = 11,
    SEEN = 5,
    MEANT = 2
};

/* One block without attention or positions: the FFN reads the token's normalized row.
 * Unit UNIT looks for token SEEN, and speaks for token MEANT. */
static Gpt2 *planted_model(void) {
    Gpt2Config config = gpt2_config(VOCAB, CONTEXT, 1, 2, WIDTH);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_TRAIN, &init);
    floats_zero(model->wte->data, VOCAB * WIDTH);
    floats_zero(model->wpe->data, CONTEXT * WIDTH);
    floats_zero(model->blocks[0].attn.c_proj.weight->data, WIDTH * WIDTH);
    for (size_t v = 0; v < VOCAB; v++) model->wte->data[v * WIDTH + v] = 1;
    float *up = model->blocks[0].mlp.up.weight->data,
          *down = model->blocks[0].mlp.down.weight->data;
    for (size_t i = 0; i < WIDTH; i++) {
        up[i * D_FF + UNIT] = i == SEEN;
        down[UNIT * WIDTH + i] = i == MEANT;
    }
    return model;
}

Test(keys, planted_key_and_value_are_found) {
    Gpt2 *model = planted_model();
    int tokens[N];
    for (size_t i = 0; i < N; i++) tokens[i] = (int)(i % VOCAB);
    KeyUnit *units = keys_read(model, tokens, N), *unit = &units[UNIT];
    for (size_t i = 0; i < TOP_ACTIVATIONS; i++) {
        cr_expect(tokens[unit->fires.place[i]] == SEEN,
                  "place %zu of the key: token %d, expected %d", i,
                  tokens[unit->fires.place[i]], SEEN);
        for (size_t j = 0; j < i; j++)
            cr_expect(unit->fires.place[i] != unit->fires.place[j],
                      "place %zu stands twice", unit->fires.place[i]);
    }
    cr_expect(unit->tokens[0] == MEANT, "the value speaks for token %d, expected %d",
              unit->tokens[0], MEANT);
    cr_expect(unit->tokens[VOCAB] == -1, "token %d behind the last of %d",
              unit->tokens[VOCAB], VOCAB);
    model->ln_f.layer.gain->data[MEANT] = -1;
    free(units);
    units = keys_read(model, tokens, N);
    cr_expect(units[UNIT].tokens[VOCAB - 1] == MEANT,
              "the gain of the last norm turns the value round");
    free(units);
    gpt2_free(model);
}

Test(keys, agreement_counts_own_and_other_places) {
    const int tokens[] = {0, 1, 2, 3};
    /* Two units fire on token 0, which 1 follows; one on token 2, which 3 follows. */
    const KeyUnit units[] = {{.fires.place = {0}, .tokens = {1, 3}},
                             {.fires.place = {0}, .tokens = {2, 1}},
                             {.fires.place = {2}, .tokens = {1, 0}}};
    KeyAgreement first = keys_agreement(units, 3, tokens, 4, 1),
                 both = keys_agreement(units, 3, tokens, 4, 2);
    cr_expect_float_eq(first.own, 1.0 / 3, 1e-12);
    /* units 0 and 2 name 1: the places of 1; of 0, 1 */
    cr_expect_float_eq(first.others, 3.0 / 6, 1e-12);
    cr_expect_float_eq(both.own, 2.0 / 3, 1e-12);
    cr_expect_float_eq(both.others, 5.0 / 6, 1e-12);
}
