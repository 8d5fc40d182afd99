/* A model and its tokenizer: see text_model.h. */
#include "12-generation/text_model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/family.h"
#include "10-gpt2/ids.h"
#include "11-training/train.h"
#include "base/error.h"
#include "files/file.h"
#include "program/progress.h"

TextModel text_model_load(const char *directory) {
    Gpt2 *model = family_load(directory, PARAMS_MAPPED);
    return (TextModel){model, family_tokenizer(NULL, directory, model->config.n_vocab)};
}

/* --- training --- */

typedef struct {
    Tokenizer *tokenizer;
    Dataset data;
    Trainer trainer;
    Progress bar;
} Training;

static void begin(Training *t, uint64_t seed, const SmallModel *size) {
    t->tokenizer = dataset_tokenizer(NULL, seed, 512);
    t->data = dataset_corpus(t->tokenizer, seed, 400000, 2000);
    Gpt2Config config =
        gpt2_config(t->data.n_vocab, size->n_ctx, size->n_layer, 4, size->d_model);
    TrainSettings settings = train_settings(&config);
    settings.seed = seed;
    settings.batch = 1024 / size->n_ctx;
    settings.steps = size->steps;
    settings.warmup = size->steps / 10;
    t->trainer = trainer_create(&settings, &t->data, NULL);
    t->bar = progress_begin("training a small model", size->steps);
}

static void train_until(Training *t, size_t step) {
    while (t->trainer.step < step) {
        float loss = trainer_step(&t->trainer).loss;
        progress_update(&t->bar, t->trainer.step, "loss %.3f", (double)loss);
    }
}

/* Keeps the model and the tokenizer, frees the rest. */
static TextModel end(Training *t) {
    TextModel m = {t->trainer.model, t->tokenizer};
    progress_end(&t->bar);
    t->trainer.model = NULL; /* it stays when the trainer goes */
    trainer_free(&t->trainer);
    dataset_free(&t->data);
    return m;
}

TextModel text_model_train(uint64_t seed, const SmallModel *size) {
    Training t;
    begin(&t, seed, size);
    train_until(&t, size->steps);
    return end(&t);
}

/* --- and keeping --- */

#define FOLDER "build/models"
enum { FIRST_STEPS = 3 };

/* The name says which model it is, and how its training began: one that was kept before
 * the code or the text changed has another. */
static void name_of(char name[160], const Trainer *t, const SmallModel *size) {
    const StepLog *last = &t->log[t->step - 1];
    uint32_t loss, norm;
    memcpy(&loss, &last->loss, sizeof loss);
    memcpy(&norm, &last->grad_norm, sizeof norm);
    snprintf(name, 160,
             FOLDER "/%zu-layers-%zu-wide-%zu-context-%zu-steps-seed-%llu-%08x%08x",
             size->n_layer, size->d_model, size->n_ctx, size->steps,
             (unsigned long long)t->settings.seed, loss, norm);
}

static bool is_kept(const char *name) {
    directory_finish(name);
    char *weights = path_join(name, "model.safetensors");
    bool is_there = access(weights, R_OK) == 0;
    free(weights);
    return is_there;
}

static void keep(const TextModel *m, const char *name) {
    Directory *directory = directory_open(name);
    gpt2_save(m->model, m->tokenizer, directory);
    directory_commit(directory);
    directory_close(directory);
}

/* Another program may be training it just now: then this waits. */
static int lock(const char *name) {
    char path[192];
    snprintf(path, sizeof path, "%s.lock", name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) die("cannot write '%s': %s", path, strerror(errno));
    flock(file, LOCK_EX);
    return file;
}

TextModel text_model_kept(uint64_t seed, const SmallModel *size) {
    Training t;
    char name[160];
    begin(&t, seed, size);
    train_until(&t, size->steps < FIRST_STEPS ? size->steps : FIRST_STEPS);
    name_of(name, &t.trainer, size);
    make_directory(FOLDER);
    int file = lock(name);
    bool kept = is_kept(name);
    if (!kept) train_until(&t, size->steps);
    TextModel m = end(&t);
    if (kept) {
        text_model_free(&m);
        m = text_model_load(name);
    } else {
        keep(&m, name);
    }
    close(file);
    return m;
}

void text_model_free(TextModel *m) {
    if (m->model) gpt2_free(m->model);
    if (m->tokenizer) tokenizer_free(m->tokenizer);
    *m = (TextModel){0};
}

int text_model_token(const TextModel *m, const char *text) {
    size_t n;
    int *tokens;
    if (!m->tokenizer || (*text && text[strspn(text, "0123456789")] == '\0')) {
        tokens = ids_parse("--stop-token", text, m->model->config.n_vocab, &n);
    } else {
        if (strcmp(text, "\\n") == 0) text = "\n";
        tokens = tokenizer_encode(m->tokenizer, text, strlen(text), true, &n);
    }
    if (n != 1)
        die("stop token '%s': %zu tokens of this vocabulary, expected one", text, n);
    int token = tokens[0];
    free(tokens);
    return token;
}
