/* Models kept as files: see models.h. */
#include "14-compression/experiments/models.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "files/file.h"

static const SmallModel small = {.n_layer = 2,
                                 .d_model = 128,
                                 .n_ctx = 64,
                                 .steps = 600},
                        large = {
                            .n_layer = 4, .d_model = 256, .n_ctx = 64, .steps = 1000};

#define FOLDER "build/14-models"

/* The name says what the model is: with other settings it is another one. */
static void path_of(char path[128], uint64_t seed, const SmallModel *size) {
    snprintf(path, 128, FOLDER "/%zu-layers-%zu-wide-%zu-steps-seed-%llu",
             size->n_layer, size->d_model, size->steps, (unsigned long long)seed);
}

static void keep(const TextModel *m, const char *path) {
    Directory *directory = directory_open(path);
    gpt2_save(m->model, m->tokenizer, directory);
    directory_commit(directory);
    directory_close(directory);
}

static TextModel load_or_train(const char *path, uint64_t seed,
                               const SmallModel *size) {
    directory_finish(path);
    char *weights = path_join(path, "model.safetensors");
    bool there = access(weights, R_OK) == 0;
    free(weights);
    if (there) return text_model_load(path);
    TextModel m = text_model_train(seed, size);
    keep(&m, path);
    return m;
}

TextModel kept_model(size_t i, uint64_t seed, bool quick) {
    SmallModel size = i < LARGE_MODEL ? small : large;
    if (i < LARGE_MODEL) seed += i;
    if (quick) size.steps /= 10;
    char path[128];
    path_of(path, seed, &size);
    make_directory(FOLDER);
    int lock = open(FOLDER, O_RDONLY | O_CLOEXEC);
    flock(lock, LOCK_EX); /* another experiment may be training it just now */
    TextModel m = load_or_train(path, seed, &size);
    close(lock);
    return m;
}

const char *model_name(size_t i) {
    static const char *const names[MODELS] = {"small-1", "small-2", "small-3", "large"};
    return names[i];
}
