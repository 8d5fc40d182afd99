/* Tests of a training that starts from a model: the bits of one that began with its
 * weights, and what a checkpoint knows of it. */
#include "11-training/start_model.h"

#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "11-training/train.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/remove_tree.h"

static TrainSettings small(const Dataset *data) {
    Gpt2Config config = gpt2_config(data->n_vocab, 16, 1, 2, 8);
    config.embd_dropout = config.block.attn_dropout = config.block.resid_dropout = 0.1f;
    TrainSettings s = train_settings(&config);
    s.batch = 2;
    s.steps = 4;
    s.warmup = 1;
    return s;
}

static Dataset corpus(void) {
    return dataset_corpus(tokenizer_bytes(), 1, 20000, 5000);
}

static void train_to(Trainer *t, size_t step) {
    while (t->step < step) trainer_step(t);
}

static void expect_same(const Trainer *a, const Trainer *b) {
    for (size_t i = 0; i < a->model->params.n; i++) {
        const Tensor *x = a->model->params.items[i].tensor,
                     *y = b->model->params.items[i].tensor;
        CHECK(memcmp(x->data, y->data, tensor_size(x) * sizeof *x->data) == 0,
              "%s differs", x->name);
    }
    CHECK(memcmp(a->log, b->log, a->step * sizeof *a->log) == 0, "the logs differ");
}

static void save_model(const Trainer *t) {
    Directory *directory = directory_open(scratch);
    gpt2_save(t->model, NULL, directory);
    directory_close(directory);
}

static void save_checkpoint(const Trainer *t) {
    Directory *directory = directory_open(scratch);
    trainer_save(t, directory);
    directory_close(directory);
}

/* From the model in `scratch`. */
static Trainer started(const Dataset *data) {
    TrainSettings settings = small(data);
    Gpt2 *model = start_model(scratch, &(RunOptions){.dropout = 0.1});
    return trainer_create(&settings, data, model);
}

Test(start_model, weights_of_step_0_give_the_same_run, .timeout = 60,
     .init = scratch_begin, .fini = scratch_end) {
    Dataset data = corpus();
    TrainSettings settings = small(&data);
    Trainer new = trainer_create(&settings, &data, NULL);
    save_model(&new);
    train_to(&new, 4);
    Trainer from = started(&data);
    CHECK(*from.start && !*new.start, "start '%s' and '%s'", from.start, new.start);
    train_to(&from, 4);
    expect_same(&new, &from);
}

static void expect_own(void *trainer) {
    trainer_expect_own(trainer, scratch);
}

/* A checkpoint knows that there was a model, and which one, although it holds other
 * weights. */
Test(start_model, goes_on_as_the_same_run, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    Dataset data = corpus();
    TrainSettings settings = small(&data);
    Trainer new = trainer_create(&settings, &data, NULL);
    save_model(&new);
    CHECK(!trainer_started_from_model(scratch), "a run is found that is not there");
    save_checkpoint(&new);
    CHECK(!trainer_started_from_model(scratch), "a new model is taken for a given one");
    Trainer whole = started(&data), first = started(&data);
    expect_exit(1, "holds another model", expect_own, &first);
    train_to(&first, 2);
    save_model(&first);
    save_checkpoint(&first);
    CHECK(trainer_started_from_model(scratch), "the given model is forgotten");
    expect_exit(1, "holds another model", expect_own, &new);
    Trainer second = started(&data);
    CHECK(trainer_resume(&second, scratch), "the checkpoint is not found");
    CHECK(strcmp(second.start, whole.start) == 0, "it goes on from weights %s, not %s",
          second.start, whole.start);
    expect_exit(0, "", expect_own, &second);
    train_to(&whole, 4);
    train_to(&second, 4);
    expect_same(&whole, &second);
}

/* The dropout is that of the training, in every place. */
Test(start_model, dropout_of_the_options, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    Dataset data = corpus();
    TrainSettings settings = small(&data);
    Trainer new = trainer_create(&settings, &data, NULL);
    save_model(&new);
    Gpt2 *model = start_model(scratch, &(RunOptions){.dropout = 0.5});
    const Block *block = &model->blocks[0];
    CHECK(model->config.embd_dropout == 0.5f && block->config.resid_dropout == 0.5f &&
              block->attn.config.dropout == 0.5f,
          "dropout %g, %g and %g, expected 0.5", (double)model->config.embd_dropout,
          (double)block->config.resid_dropout, (double)block->attn.config.dropout);
}
