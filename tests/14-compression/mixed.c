/* The mixed scheme: what it chooses from a table of losses, and that a table is
 * measured one matrix at a time. */
#include "14-compression/mixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/eval.h"
#include "check/check.h"

enum { VOCAB = 257, LENGTH = 20, CODECS = 3 };

static Gpt2 *random_model(void) {
    Gpt2Config config = gpt2_config(VOCAB, 8, 1, 2, 32);
    Random init = random_create(1);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

static size_t index_of(const Params *params, const char *name) {
    size_t i = 0;
    while (strcmp(params->items[i].name, name) != 0) i++;
    return i;
}

/* Every matrix takes 8, 6 or 4 bits a weight; coding one is free but for two of
 * them. */
static Sensitivity made_up(const Gpt2 *model) {
    const Params *params = &model->params;
    Sensitivity s = {.n_params = params->n, .n_codecs = CODECS};
    s.added = calloc(params->n * CODECS, sizeof *s.added);
    s.bytes = calloc(params->n * CODECS, sizeof *s.bytes);
    for (size_t i = 0; i < params->n; i++) {
        for (size_t c = 0; c < CODECS && is_coded(&params->items[i]); c++)
            s.bytes[i * CODECS + c] =
                tensor_size(params->items[i].tensor) * (8 - 2 * c) / 8;
    }
    s.added[index_of(params, "wte.weight") * CODECS + 2] = 0.5;
    s.added[index_of(params, "h.0.mlp.c_fc.weight") * CODECS + 1] = 0.1;
    s.added[index_of(params, "h.0.mlp.c_fc.weight") * CODECS + 2] = 10;
    return s;
}

static void check_choice(double bits, size_t table, size_t fc, size_t others) {
    Gpt2 *model = random_model();
    Sensitivity s = made_up(model);
    const Params *params = &model->params;
    size_t choice[32];
    mixed_choose(choice, &s, params, bits);
    for (size_t i = 0; i < params->n; i++) {
        const char *name = params->items[i].name;
        size_t expected = is_coded(&params->items[i]) ? others : 0;
        if (strcmp(name, "wte.weight") == 0) expected = table;
        if (strcmp(name, "h.0.mlp.c_fc.weight") == 0) expected = fc;
        CHECK(choice[i] == expected, "%g bits: %s gets codec %zu, expected %zu", bits,
              name, choice[i], expected);
    }
    free(s.added);
    free(s.bytes);
    gpt2_free(model);
}

Test(mixed, what_costs_nothing_goes_first, .timeout = 10) {
    check_choice(9, 0, 0, 0); /* nothing needs to be saved */
    check_choice(8, 0, 0, 0);
    check_choice(4, 2, 2, 2); /* all that there is to save */
    check_choice(1, 2, 2, 2);
}

/* The table's 6 bits are free, its last step costs 0.5 for a quarter of its 8224 bytes;
 * the layer's costs 0.1 for a quarter of 4096, then 9.9. */
Test(mixed, the_cheapest_byte_goes_next, .timeout = 10) {
    check_choice(5.7, 1, 0, 2);
    check_choice(5.3, 1, 1, 2);
    check_choice(4.5, 2, 1, 2);
}

Test(mixed, one_matrix_at_a_time, .timeout = 60) {
    Gpt2 *model = random_model();
    int tokens[LENGTH];
    for (int i = 0; i < LENGTH; i++) tokens[i] = i * 97 % VOCAB;
    const char *const names[] = {"q8_0", "q4_0", "q3"};
    Sensitivity s = sensitivity_measure(model, names, CODECS, NULL, tokens, LENGTH);
    Evaluation floats = gpt2_evaluate(model, tokens, LENGTH, 8);
    CHECK_NUMBER("the loss of the floats", s.loss, evaluation_loss(&floats), 1e-6);
    for (size_t i = 0; i < s.n_params; i++) {
        const Param *p = &model->params.items[i];
        CHECK((s.bytes[i * CODECS] > 0) == is_coded(p) && !p->tensor->stored, "%s",
              p->name);
    }
    size_t i = index_of(&model->params, "h.0.attn.c_attn.weight");
    Coded coded = coded_begin(model);
    code_param(&coded, i, s.codecs[2], 0, NULL);
    Evaluation e = gpt2_evaluate(model, tokens, LENGTH, 8);
    CHECK_NUMBER("the loss with one matrix in 3 bits", s.added[i * CODECS + 2],
                 evaluation_loss(&e) - s.loss, 1e-6);
    CHECK(fabs(s.added[i * CODECS]) < fabs(s.added[i * CODECS + 2]),
          "8 bits cost %g, 3 bits %g", s.added[i * CODECS], s.added[i * CODECS + 2]);
    coded_undo(&coded);

    size_t choice[32], as_floats;
    mixed_choose(choice, &s, &model->params, 5);
    coded = coded_begin(model);
    mixed_code(&coded, &s, choice, NULL);
    size_t bytes = coded_bytes(&coded, &as_floats);
    CHECK(32 * (double)bytes / (double)as_floats <= 5,
          "%zu of %zu bytes are more than 5 bits a weight", bytes, as_floats);
    coded_undo(&coded);
    sensitivity_free(&s);
    gpt2_free(model);
}
