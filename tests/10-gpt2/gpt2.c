/* Tests of the model around the exercises: sizes, input checks, one position's
 * logits. */
#include "10-gpt2/gpt2.h"

#include <stdlib.h>

#include "10-gpt2/ids.h"
#include "check/check.h"
#include "check/dies.h"

Test(gpt2, parameter_counts_of_all_sizes, .timeout = 30) {
    /* 124,439,808 is the number in every description of GPT-2 small; the others follow
     * from V C + P C + L (12 C^2 + 13 C) + 2 C. */
    const struct {
        const char *name;
        size_t layers, width;
    } sizes[] = {{"gpt2", 12, 768},
                 {"gpt2-medium", 24, 1024},
                 {"gpt2-large", 36, 1280},
                 {"gpt2-xl", 48, 1600}};
    for (size_t i = 0; i < 4; i++) {
        Gpt2Config config = gpt2_named_config(sizes[i].name);
        /* no memory for the weights */
        Gpt2 *model = gpt2_create(&config, PARAMS_MAPPED, NULL);
        size_t c = sizes[i].width, expected = 50257 * c + 1024 * c +
                                              sizes[i].layers * (12 * c * c + 13 * c) +
                                              2 * c;
        CHECK(params_count(&model->params) == expected,
              "%s has %zu parameters, expected %zu", sizes[i].name,
              params_count(&model->params), expected);
        if (i == 0) CHECK(expected == 124439808, "the formula gives %zu", expected);
        gpt2_free(model);
    }
}

static Gpt2 *small_model(void) {
    Gpt2Config config = gpt2_config(11, 8, 2, 2, 8);
    Random init = random_create(1);
    return gpt2_create(&config, PARAMS_TRAIN, &init);
}

Test(gpt2, logits_of_one_position, .timeout = 10) {
    Gpt2 *model = small_model();
    Tape t = tape_for_inference();
    int tokens[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    Gpt2Input input = {.tokens = tokens, .batch = 2, .length = 5};
    float *all = gpt2_logits(&t, model, &input)->data;
    const float *some =
        gpt2_logits_at(&t, model, gpt2_hidden(&t, model, &input), (size_t[]){4, 2});
    CHECK_CLOSE("row 0, position 4", some, as_double(all + 4 * 11, 11), 11, 1e-6);
    CHECK_CLOSE("row 1, position 2", some + 11, as_double(all + (5 + 2) * 11, 11), 11,
                1e-6);
}

/* A model that knows nothing spreads its guess over all tokens: loss ln V. */
Test(gpt2, loss_of_a_fresh_model, .timeout = 10) {
    Gpt2 *model = small_model();
    Tape t = tape_create(1);
    int tokens[8] = {1, 2, 3, 4, 5, 6, 7, 8}, targets[8] = {2, 3, 4, 5, 6, 7, 8, 9};
    float loss =
        gpt2_loss(&t, model, &(Gpt2Input){.tokens = tokens, .batch = 1, .length = 8},
                  targets)
            ->data[0];
    CHECK_NUMBER("loss", loss, 2.3978952727983707, 0.01);
}

typedef struct {
    int tokens[9];
    const int *positions;
    size_t length;
    const char *says;
} Bad;

static void run_on(void *bad) {
    const Bad *b = bad;
    Tape t = tape_create(1);
    Gpt2Input input = {.tokens = b->tokens,
                       .batch = 1,
                       .length = b->length,
                       .positions = b->positions};
    gpt2_logits(&t, small_model(), &input);
}

Test(gpt2, refuses_bad_input_with_one_line, .timeout = 60) {
    Bad bad[] = {
        {{1, 11}, NULL, 2, "token 11 at position 1: expected 0 to 10"},
        {{-1}, NULL, 1, "token -1 at position 0"},
        {{0}, NULL, 9, "a sequence of 9 tokens: the model's context is 8"},
        {{1}, (int[]){8}, 1, "position 8: the model's context is 8"},
        {{1}, NULL, 0, "the input is empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_exit(1, bad[i].says, run_on, &bad[i]);
}

static void name_size(void *name) {
    gpt2_named_config(name);
}
static void parse(void *text) {
    ids_parse("--ids", text, 10, &(size_t){0});
}

Test(gpt2, refuses_unknown_sizes_and_ids, .timeout = 60) {
    expect_exit(1, "model size 'gpt3'", name_size, "gpt3");
    expect_exit(1, "'two 3'", parse, "1 two 3");
    expect_exit(1, "'10': expected numbers from 0 to 9", parse, "1 10");
    expect_exit(1, "'99999999999999999999'", parse, "99999999999999999999");
    expect_exit(1, "--ids: '  ': expected numbers from 0 to 9", parse, "  ");
}

Test(gpt2, reads_ids, .timeout = 10) {
    size_t n;
    int *ids = ids_parse("--ids", " 3,1\n 2 ", 10, &n);
    CHECK(n == 3 && ids[0] == 3 && ids[1] == 1 && ids[2] == 2,
          "' 3,1\\n 2 ' is read as %zu ids", n);
}
