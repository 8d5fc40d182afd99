/* The judge of open problem 08/fixed_place. */
#include "08-transformer-block/problems/fixed_place.h"

#include <stdio.h>
#include <string.h>

#include "08-transformer-block/experiments/variants.h"
#include "08-transformer-block/problems/digits.h"
#include "base/error.h"
#include "program/problem.h"

enum { STEPS = 150, LAYERS = 4, STREAM_INIT = 1 };

static Tensor *own_mixer(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return fixed_place(t, x);
}

static const Layer mixers[LAYERS] = {
    {own_mixer, NULL}, {own_mixer, NULL}, {own_mixer, NULL}, {own_mixer, NULL}};

/* A digit that changes may change nothing in other rows, nor in front of it. */
static void expect_causal(const SmallModel *m) {
    enum { ROW = 3, PLACE = 6, N = DIGITS_BATCH * DIGITS_LENGTH };
    int tokens[N] = {0};
    Tape t = tape_for_inference();
    const Tensor *before = small_model_logits(&t, m, tokens, DIGITS_BATCH, mixers);
    tokens[ROW * DIGITS_LENGTH + PLACE] = 1;
    const Tensor *after = small_model_logits(&t, m, tokens, DIGITS_BATCH, mixers);
    for (size_t i = 0; i < N; i++) {
        size_t row = i / DIGITS_LENGTH, place = i % DIGITS_LENGTH;
        bool same = memcmp(before->data + i * DIGITS, after->data + i * DIGITS,
                           DIGITS * sizeof(float)) == 0;
        if (!same && (row != ROW || place < PLACE))
            die("a digit at row %d, position %d changes what is said at row %zu, "
                "position %zu",
                ROW, PLACE, row, place);
    }
    tape_free(&t);
}

static void judge(const Settings *settings) {
    double steps[PROBLEM_SEEDS], losses[STEPS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        SmallModelConfig config = {.block = ablation_variant("full")->config,
                                   .n_layer = LAYERS,
                                   .n_tokens = DIGITS,
                                   .length = DIGITS_LENGTH,
                                   .std = 0.15f,
                                   .std_residual = 0.15f};
        Random init = random_stream(settings->seed + k, STREAM_INIT);
        SmallModel m = small_model_create(&config, &init);
        expect_causal(&m);
        digits_train(losses, STEPS, &m, mixers, 3e-3f, settings->seed + k);
        small_model_free(&m);
        steps[k] = (double)ablation_steps_to(losses, STEPS, SOLVED);
        printf("seed %zu: %s%.0f steps to a loss of %g; at the end %.3f\n", k + 1,
               steps[k] < STEPS ? "" : "more than ", steps[k], SOLVED,
               losses[STEPS - 1]);
    }
    problem_at_most("steps", steps, 105);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "08/fixed_place", judge);
}
