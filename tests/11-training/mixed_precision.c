/* Tests of mixed precision: rounding, the scale of the loss, and steps with both. */
#include "11-training/mixed_precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/train.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/remove_tree.h"

Test(mixed_precision, rounds, .timeout = 10) {
    float x[4] = {1.01f, 1e-8f, -1e-8f, 1e6f};
    round_floats(PRECISION_FLOAT16, x, 4);
    CHECK_CLOSE("float16", x, ((double[]){1.0097656, 0, 0}), 3, 1e-6);
    CHECK(x[3] > 1e30f, "1e6 overflows float16, and is %g", (double)x[3]);
    float y[2] = {1.01f, 1e-8f};
    round_floats(PRECISION_BFLOAT16, y, 2);
    CHECK_CLOSE("bfloat16", y, ((double[]){1.0078125, 1.0011718e-8}), 2, 1e-5);
    CHECK(round_float(PRECISION_FLOAT32, 1.01f) == 1.01f, "float32 stays");
}

Test(mixed_precision, scale_of_the_loss, .timeout = 10) {
    LossScale s = {.factor = 8, .good_steps = 0, .grow_after = 3};
    static const float expected[] = {8, 8, 16, 16, 16, 32, 16, 16, 16, 32};
    for (size_t i = 0; i < 10; i++) {
        loss_scale_update(&s, i == 6);
        CHECK(s.factor == expected[i], "behind step %zu the factor is %g, expected %g",
              i + 1, (double)s.factor, (double)expected[i]);
    }
    LossScale fixed = {.factor = 8};
    loss_scale_update(&fixed, true);
    CHECK(fixed.factor == 8, "a fixed factor becomes %g", (double)fixed.factor);
}

static Dataset corpus(void) {
    return dataset_corpus(tokenizer_bytes(), 1, 20000, 5000);
}

static Trainer trainer(const Dataset *data, Precision precision, size_t accumulate) {
    Gpt2Config config = gpt2_config(data->n_vocab, 16, 1, 2, 8);
    config.embd_dropout = 0.1f;
    TrainSettings s = train_settings(&config);
    s.batch = 2;
    s.steps = 12;
    s.warmup = 0;
    s.accumulate = accumulate;
    s.precision = precision;
    return trainer_create(&s, data, NULL);
}

/* All weights, one behind the other, in new memory. */
static float *weights_of(const Trainer *t) {
    float *all = malloc(params_count(&t->model->params) * sizeof *all), *at = all;
    for (size_t i = 0; i < t->model->params.n; i++) {
        const Tensor *x = t->model->params.items[i].tensor;
        memcpy(at, x->data, tensor_size(x) * sizeof *at);
        at += tensor_size(x);
    }
    return all;
}

/* A step is far shorter than the distance of two numbers of 16 bits. */
Test(mixed_precision, weights_stay_float32, .timeout = 60) {
    Dataset data = corpus();
    for (Precision p = PRECISION_BFLOAT16; p <= PRECISION_FLOAT16; p++) {
        Trainer t = trainer(&data, p, 1);
        t.settings.learning_rate = t.settings.lowest_rate = 1e-7f;
        float *before = weights_of(&t);
        trainer_step(&t);
        float *after = weights_of(&t);
        size_t moved = 0;
        for (size_t i = 0; i < t.optimizer.n; i++) {
            moved += before[i] != after[i];
            CHECK(fabsf(after[i] - before[i]) < 3e-7f,
                  "%s: weight %zu goes from %.9g to %.9g: it was rounded",
                  precision_name(p), i, (double)before[i], (double)after[i]);
        }
        CHECK(moved > t.optimizer.n / 4, "%s: %zu weights of %zu move",
              precision_name(p), moved, t.optimizer.n);
    }
}

/* Clipped at a norm between the gradient's and that of the scaled loss: it stays. */
Test(mixed_precision, divided_before_clipping, .timeout = 60) {
    Dataset data = corpus();
    Trainer plain = trainer(&data, PRECISION_FLOAT32, 1),
            half = trainer(&data, PRECISION_FLOAT16, 1);
    half.mixed.scale.factor = 1024;
    half.settings.max_norm = 100;
    StepLog a = trainer_step(&plain), b = trainer_step(&half);
    CHECK_NUMBER("the loss", b.loss, (double)a.loss, 1e-2);
    CHECK_NUMBER("the norm in the log", b.grad_norm, (double)a.grad_norm, 2e-2);
    CHECK_NUMBER("the norm behind the step", params_grad_norm(&half.model->params),
                 (double)b.grad_norm, 1e-5);
    CHECK(b.loss_scale == 1024 && a.loss_scale == 1, "factors in the log: %g and %g",
          (double)b.loss_scale, (double)a.loss_scale);
}

/* The sum of two gradients of 16 bits has more bits. */
Test(mixed_precision, micro_batches_are_added_in_float32, .timeout = 60) {
    Dataset data = corpus();
    for (size_t accumulate = 1; accumulate <= 4; accumulate += 3) {
        Trainer t = trainer(&data, PRECISION_BFLOAT16, accumulate);
        t.settings.max_norm = 0;
        trainer_step(&t);
        const Params *params = &t.model->params;
        size_t more = 0;
        for (size_t i = 0; i < params->n_grads; i++)
            more +=
                params->grads[i] != round_float(PRECISION_BFLOAT16, params->grads[i]);
        CHECK((more > 0) == (accumulate > 1),
              "%zu micro-batches: %zu gradients are no bfloat16", accumulate, more);
    }
}

/* 2^30 overflows: weights, moments and Adam's count stay until the factor fell. */
Test(mixed_precision, skipped_steps_change_nothing, .timeout = 60) {
    Dataset data = corpus();
    Trainer t = trainer(&data, PRECISION_FLOAT16, 1);
    t.mixed.scale.factor = 0x1p30f;
    float *before = weights_of(&t);
    StepLog log = trainer_step(&t);
    size_t bytes = t.optimizer.n * sizeof *before;
    CHECK(isnan(log.grad_norm) && isfinite(log.loss), "norm %g, loss %g",
          (double)log.grad_norm, (double)log.loss);
    CHECK(memcmp(before, weights_of(&t), bytes) == 0, "a skipped step moves weights");
    for (size_t i = 0; i < t.optimizer.n; i++)
        CHECK(t.optimizer.m[i] == 0 && t.optimizer.v[i] == 0, "moment %zu is %g", i,
              (double)t.optimizer.m[i]);
    CHECK(t.optimizer.step == 0 && t.step == 1, "%zu updates in %zu steps, expected 0",
          t.optimizer.step, t.step);
    CHECK(t.mixed.scale.factor == 0x1p29f, "the factor is %g, expected 2^29",
          (double)t.mixed.scale.factor);
}

static void step_without_end(Trainer *t) {
    t->settings.steps = 1000;
    t->log = calloc(1000, sizeof *t->log);
    t->block_norms = calloc(1000, sizeof *t->block_norms);
    for (;;) trainer_step(t);
}

static void spoil(void *unused, const TapeNode *node, TapePass pass) {
    (void)unused;
    if (pass == TAPE_BACKWARD && strcmp(node->operation, "layernorm") == 0)
        node->inputs[1]->grad[0] = NAN;
}

static void spoilt_steps(void *precision) {
    Dataset data = corpus();
    Trainer t = trainer(&data, *(Precision *)precision, 1);
    t.tape.watch = spoil;
    step_without_end(&t);
}

Test(mixed_precision, gradients_that_are_never_finite_end_the_program, .timeout = 60) {
    expect_exit(1, "step 1: the gradients are not finite", spoilt_steps,
                &(Precision){PRECISION_FLOAT32});
    expect_exit(1, "step 31: the gradients are not finite", spoilt_steps,
                &(Precision){PRECISION_FLOAT16});
}

/* Doubled every second step, from a factor that overflows at once: skips and growth. */
static void begin_high(Trainer *t) {
    t->mixed.scale = (LossScale){.factor = 0x1p22f, .grow_after = 2};
}

static void save_in_scratch(const Trainer *t) {
    Directory *directory = directory_open(scratch);
    trainer_save(t, directory);
    directory_close(directory);
}

Test(mixed_precision, resumes_bit_for_bit, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    Dataset data = corpus();
    Trainer whole = trainer(&data, PRECISION_FLOAT16, 2);
    begin_high(&whole);
    while (whole.step < whole.settings.steps) trainer_step(&whole);
    CHECK(whole.optimizer.step > 4 && whole.optimizer.step < whole.step,
          "%zu updates in %zu steps: there should be skips", whole.optimizer.step,
          whole.step);
    for (size_t at = 1; at < whole.step; at++) {
        Trainer first = trainer(&data, PRECISION_FLOAT16, 2),
                second = trainer(&data, PRECISION_FLOAT16, 2);
        begin_high(&first);
        while (first.step < at) trainer_step(&first);
        save_in_scratch(&first);
        second.mixed.scale.grow_after = 2;
        CHECK(trainer_resume(&second, scratch), "the checkpoint is not found");
        while (second.step < second.settings.steps) trainer_step(&second);
        CHECK(memcmp(whole.log, second.log, whole.step * sizeof *whole.log) == 0 &&
                  memcmp(weights_of(&whole), weights_of(&second),
                         whole.optimizer.n * sizeof(float)) == 0,
              "resumed behind step %zu, the run ends with other bytes", at);
        CHECK(second.optimizer.step == whole.optimizer.step, "%zu updates, not %zu",
              second.optimizer.step, whole.optimizer.step);
    }
}

Test(mixed_precision, the_log_has_factor_and_skips, .timeout = 60,
     .init = scratch_begin, .fini = scratch_end) {
    Dataset data = corpus();
    Trainer t = trainer(&data, PRECISION_FLOAT16, 1);
    t.mixed.scale.factor = 0x1p30f;
    trainer_step(&t);
    trainer_write_csv(&t, scratch, "log");
    size_t bytes;
    char *text = file_read(path_join(scratch, "log.csv"), &bytes);
    CHECK(strstr(text, ",learning_rate,loss_scale,skipped,block_0\n"), "%s", text);
    CHECK(strstr(text, ",1.07374e+09,1,\n"), "%s", text);
}
