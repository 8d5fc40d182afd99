/* Tests of the training loop: PyTorch's runs, and resuming bit for bit. */
#include "11-training/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "10-gpt2/checkpoint.h"
#include "11-training/clip_grad_norm.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "base/memory.h"
#include "check/remove_tree.h"

/* Ten AdamW steps on the golden tokens: run A on batch 0 at a constant rate,
 * run B on ten batches with clipping and a schedule. */
static void golden_run(const char *directory, const char *family,
                       bool clip_and_schedule) {
    Gpt2 *model = gpt2_load(golden_path(directory), PARAMS_TRAIN);
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape(family, NULL, "train_tokens", shape);
    int *tokens = golden_int(family, NULL, "train_tokens", NULL);
    size_t batch = shape[1], length = shape[2] - 1;
    const char *run = clip_and_schedule ? "trainB" : "trainA";
    char name[64];
    snprintf(name, sizeof name, "%s.losses", run);
    const double *losses = golden(family, NULL, name, NULL);
    snprintf(name, sizeof name, "%s.grad_norms", run);
    const double *norms = golden(family, NULL, name, NULL);
    snprintf(name, sizeof name, "%s.lrs", run);
    const double *rates = golden(family, NULL, name, NULL);

    AdamW optimizer = adamw_create(&model->params, 0, 0.1f);
    optimizer.settings.beta2 = 0.95f;
    Tape t = tape_create(1);
    t.training = false;
    int *inputs = checked_alloc(batch * length, sizeof *inputs),
        *targets = checked_alloc(batch * length, sizeof *targets);
    float got_losses[10], got_norms[10];
    for (size_t step = 0; step < 10; step++) {
        const int *from =
            tokens + (clip_and_schedule ? step : 0) * batch * (length + 1);
        for (size_t i = 0; i < batch * length; i++) {
            inputs[i] = from[i / length * (length + 1) + i % length];
            targets[i] = from[i / length * (length + 1) + i % length + 1];
        }
        tape_reset(&t);
        params_zero_grad(&model->params);
        Tensor *loss = gpt2_loss(
            &t, model, &(Gpt2Input){.tokens = inputs, .batch = batch, .length = length},
            targets);
        tape_backward(&t, loss);
        got_losses[step] = loss->data[0];
        got_norms[step] = (float)params_grad_norm(&model->params);
        if (clip_and_schedule) clip_grad_norm(&model->params, 1.0);
        optimizer.settings.learning_rate = (float)rates[step];
        adamw_step(&optimizer, &model->params);
    }
    CHECK_CLOSE("losses", got_losses, losses, 10, 1e-5);
    CHECK_CLOSE("gradient norms", got_norms, norms, 10, 1e-4);
}

Test(train, ten_steps_equal_pytorch, .timeout = 30) {
    golden_run("tiny_gpt2", "tiny_gpt2/golden_f64", false);
}
Test(train, ten_steps_with_clipping_and_schedule, .timeout = 30) {
    golden_run("tiny_gpt2", "tiny_gpt2/golden_f64", true);
}

static TrainSettings small_settings(size_t n_vocab) {
    Gpt2Config config = gpt2_config(n_vocab, 32, 2, 2, 16);
    config.embd_dropout = config.block.attn_dropout = config.block.resid_dropout = 0.1f;
    TrainSettings s = train_settings(&config);
    s.batch = 2;
    s.accumulate = 2;
    s.steps = 8;
    s.warmup = 3;
    return s;
}

static void same_weights(const Trainer *a, const Trainer *b) {
    for (size_t i = 0; i < a->model->params.n; i++) {
        const Tensor *x = a->model->params.items[i].tensor,
                     *y = b->model->params.items[i].tensor;
        CHECK(memcmp(x->data, y->data, tensor_size(x) * sizeof *x->data) == 0,
              "%s differs", a->model->params.items[i].name);
    }
    CHECK(memcmp(a->log, b->log, a->step * sizeof *a->log) == 0, "the logs differ");
}

static void save(const Trainer *t, const char *path) {
    Directory *directory = directory_open(path);
    trainer_save(t, directory);
    directory_close(directory);
}

/* Eight steps at once, or three, a new process' memory, and five: the same bytes. */
Test(train, resumes_bit_for_bit, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, 1, 20000, 5000);
    TrainSettings settings = small_settings(data.n_vocab);
    char *directory = new_directory();

    Trainer whole = trainer_create(&settings, &data, NULL);
    while (whole.step < settings.steps) trainer_step(&whole);
    Trainer first = trainer_create(&settings, &data, NULL);
    while (first.step < 3) trainer_step(&first);
    save(&first, directory);
    settings.seed = 1;
    Trainer second = trainer_create(&settings, &data, NULL);
    CHECK(trainer_resume(&second, directory), "the checkpoint is not found");
    CHECK(second.step == 3, "resumed at step %zu, expected 3", second.step);
    while (second.step < settings.steps) trainer_step(&second);
    same_weights(&whole, &second);
    remove_tree(directory);
}

static TrainSettings small(void) {
    return small_settings(TOKENIZER_MIN_VOCAB);
}

static Dataset corpus(uint64_t seed) {
    return dataset_corpus(tokenizer_bytes(), seed, 20000, 5000);
}

/* A checkpoint after one step, in `scratch`. */
static void save_first_step(void) {
    TrainSettings settings = small();
    Dataset data = corpus(1);
    Trainer t = trainer_create(&settings, &data, NULL);
    trainer_step(&t);
    save(&t, scratch);
}

typedef struct {
    TrainSettings settings;
    Dataset data;
} Resumed;

static void resume(void *argument) {
    Resumed *r = argument;
    Trainer t = trainer_create(&r->settings, &r->data, NULL);
    CHECK(trainer_resume(&t, scratch), "the checkpoint is not found");
}

static void change_length(TrainSettings *s) {
    s->steps = 9;
    s->warmup = 2;
}

/* One setting is another one, by as little as its type can tell. */
#define OTHER_RUN(change, message)                                                     \
    do {                                                                               \
        Resumed r = {small(), corpus(1)};                                              \
        change;                                                                        \
        expect_exit(1, "comes from a run with other settings: " message, resume, &r);  \
    } while (0)

Test(train, resumes_no_other_run, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    save_first_step();
    OTHER_RUN(r.settings.learning_rate = nextafterf(r.settings.learning_rate, 1),
              "rate 0.00300000003 (now ");
    OTHER_RUN(r.settings.model.init_std = nextafterf(r.settings.model.init_std, 1),
              "init_std 0.0199999996 (");
    OTHER_RUN(r.settings.model.block.norm_eps = nextafterf(1e-5f, 1),
              "norm_eps 9.99999975e-06 (now ");
    OTHER_RUN(r.settings.model.block.causal = false, "causal 1 (now 0)");
    OTHER_RUN(r.settings.seed = 2, "seed 1 (now 2)");
    OTHER_RUN(change_length(&r.settings), "steps 8 (now 9), warmup 3 (now 2)");
    OTHER_RUN(r.data.train.tokens[100] ^= 1, "text ");
    OTHER_RUN(r.data.validation.tokens[100] ^= 1, "text ");
    OTHER_RUN(r.data.vocabulary[3] ^= 1, "vocabulary ");
    Resumed same = {small(), corpus(1)};
    expect_exit(0, "", resume, &same);
}

static void flip_bit(const char *path, size_t bit) {
    FILE *file = fopen(path, "r+b");
    CHECK(file && fseek(file, (long)(bit / 8), SEEK_SET) == 0, "cannot open %s", path);
    int byte = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(byte ^ 1 << bit % 8, file);
    fclose(file);
}

/* Bits all over the file: its lengths, names, numbers. */
Test(train, damaged_checkpoints_are_refused, .timeout = 120, .init = scratch_begin,
     .fini = scratch_end) {
    save_first_step();
    const char *path = path_join(scratch, "training.safetensors");
    Resumed same = {small(), corpus(1)};
    size_t bytes;
    free(file_read(path, &bytes));
    char message[1024];
    Random where = random_create(1);
    for (int i = 0; i < 300; i++) {
        size_t bit = i < 100 ? (size_t)random_below(&where, 8 * 3000)
                             : random_below(&where, (uint32_t)(8 * bytes));
        flip_bit(path, bit);
        int code = exit_code_of(resume, &same, message);
        CHECK(code == 1,
              "a checkpoint with another bit %zu is resumed: exit code %d, %s", bit,
              code, message);
        flip_bit(path, bit);
    }
    expect_exit(0, "", resume, &same);
}

static void resume_from_a_model(void *unused) {
    (void)unused;
    size_t bytes;
    char *model = file_read(golden_path("tiny_gpt2/model.safetensors"), &bytes);
    put_file(path_join(scratch, "training.safetensors"), model, bytes);
    resume(&(Resumed){small(), corpus(1)});
}

/* A checksum that fits, and a moment that is no number. */
static void resume_from_nan(void *unused) {
    (void)unused;
    Resumed r = {small(), corpus(1)};
    Trainer t = trainer_create(&r.settings, &r.data, NULL);
    t.optimizer.v[17] = NAN;
    save(&t, scratch);
    resume(&r);
}

static void step_to_nan(void *unused) {
    (void)unused;
    TrainSettings settings = small();
    Dataset data = corpus(1);
    Trainer t = trainer_create(&settings, &data, NULL);
    t.model->ln_f.layer.gain->data[0] = NAN;
    trainer_step(&t);
}

Test(train, refuses_with_one_line, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    expect_exit(1, "not a checkpoint of a training run", resume_from_a_model, NULL);
    expect_exit(1, "tensor 'adamw.v': its number 17 is nan", resume_from_nan, NULL);
    expect_exit(1, "the loss is nan", step_to_nan, NULL);
}

/* Every byte of the settings is in their description, but for the few that only fill
 * gaps of the struct: a new member that is forgotten there would be resumed with any
 * value. */
Test(train, all_settings_are_described) {
    TrainSettings settings = small();
    char was[CONFIG_TEXT_BYTES] = "";
    train_config_text(was, &settings);
    size_t gaps = 0;
    for (size_t i = 0; i < sizeof settings; i++) {
        ((unsigned char *)&settings)[i] ^= 1;
        char now[CONFIG_TEXT_BYTES] = "";
        train_config_text(now, &settings);
        gaps += strcmp(was, now) == 0;
        ((unsigned char *)&settings)[i] ^= 1;
    }
    CHECK(gaps < 16, "%zu of %zu bytes of the settings are not in '%s'", gaps,
          sizeof settings, was);
}

/* A checkpoint names its enumerators, so that new ones do not change their meaning. */
Test(train, enumerators_are_described_by_name) {
    TrainSettings settings = small();
    char text[CONFIG_TEXT_BYTES] = "";
    train_config_text(text, &settings);
    static const char *const words[] = {" norm layer placement pre-LN ffn gelu_new ",
                                        " residual plain ", " positions learned "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        CHECK(strstr(text, words[i]), "'%s' is not in '%s'", words[i], text);
}

/* More columns than a model of GPT-2's sizes needs: none is left out. */
Test(train, a_column_for_every_block, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    TrainSettings settings = small();
    settings.model.n_layer = 60;
    settings.steps = 1;
    Dataset data = corpus(1);
    Trainer t = trainer_create(&settings, &data, NULL);
    trainer_step(&t);
    trainer_write_csv(&t, scratch, "losses");
    size_t bytes, commas = 0, lines = 0;
    char *text = file_read(path_join(scratch, "losses.csv"), &bytes);
    for (size_t i = 0; i < bytes; i++) {
        commas += text[i] == ',';
        lines += text[i] == '\n';
    }
    CHECK(strstr(text, ",block_59\n1,") && lines == 2 && commas == 2 * (5 + 60),
          "%zu lines with %zu commas: %s", lines, commas, text);
}

/* No step calls malloc once the first ones have shown how much is needed. */
Test(train, no_allocation_inside_a_step, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, 1, 20000, 5000);
    TrainSettings settings = small_settings(data.n_vocab);
    Trainer t = trainer_create(&settings, &data, NULL);
    trainer_step(&t);
    trainer_step(&t);
    size_t grown = t.tape.arena.grown;
    while (t.step < settings.steps) trainer_step(&t);
    CHECK(t.tape.arena.grown == grown,
          "the arena called malloc %zu times after the second step",
          t.tape.arena.grown - grown);
}

/* Whole stories in every validation window, each once, and the floor is that of the
 * text. */
Test(train, validation_windows_cover_the_corpus, .timeout = 60) {
    Tokenizer *bytes = tokenizer_bytes();
    Dataset data = dataset_corpus(bytes, 1, 20000, 5000);
    int inputs[192], targets[192];
    size_t cursor = 0, counted = 0, count;
    while ((count = dataset_next_window(&data, &cursor, 192, inputs, targets)) > 0) {
        CHECK(inputs[0] == '\n', "a window begins with token %d, expected a newline",
              inputs[0]);
        CHECK(targets[count - 1] == '\n', "a window ends inside a story");
        for (size_t i = 0; i < 192; i++)
            CHECK((targets[i] != IGNORE_TARGET) == (i < count), "target %zu of %zu", i,
                  count);
        counted += count;
    }
    CHECK(counted == data.validation.n - 1, "%zu tokens are validated, expected %zu",
          counted, data.validation.n - 1);
}
