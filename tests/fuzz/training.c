/* A damaged checkpoint of a training run: it is refused, or training goes on from it. */
#include <stdlib.h>
#include <string.h>

#include "11-training/train.h"
#include "file.h"
#include "fuzz.h"
#include "safetensors_checksum.h"

static const Dataset *tiny_data(void) {
    static int tokens[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    static const TokenText text = {.tokens = tokens, .n = sizeof tokens / sizeof *tokens};
    static Dataset data;
    data = (Dataset){.train = text, .validation = text, .n_vocab = 3};
    return &data;
}

static Trainer tiny_trainer(void) {
    Gpt2Config config = gpt2_config(3, 2, 1, 1, 2);
    TrainSettings s = train_settings(&config);
    s.batch = 1;
    s.length = 2;
    s.steps = 3;
    s.warmup = 1;
    return trainer_create(&s, tiny_data(), NULL);
}

/* A damaged file that says it is whole: what lies behind the checksum is to be tested too. */
static void fit_checksum(char *bytes, size_t n) {
    size_t rest = SAFETENSORS_CHECKSUM_AT + CHECKSUM_TEXT - 1;
    if (n < rest) return;
    Checksum sum = checksum_begin();
    checksum_add(&sum, bytes, SAFETENSORS_CHECKSUM_AT);
    checksum_add(&sum, SAFETENSORS_CHECKSUM_ZERO, CHECKSUM_TEXT - 1);
    checksum_add(&sum, bytes + rest, n - rest);
    char text[CHECKSUM_TEXT];
    checksum_end(&sum, text);
    memcpy(bytes + SAFETENSORS_CHECKSUM_AT, text, CHECKSUM_TEXT - 1);
}

FUZZ_TARGET(training) {
    static char *good;
    static size_t good_size;
    if (!good) {
        Trainer t = tiny_trainer();
        trainer_step(&t);
        Directory *directory = directory_open(fuzz_path("."));
        trainer_save(&t, directory);
        directory_close(directory);
        trainer_free(&t);
        good = file_read(fuzz_path("training.safetensors"), &good_size);
    }
    size_t n = good_size;
    char *bytes = fuzz_damaged(good, &n, data, size);
    fit_checksum(bytes, n);
    fuzz_write("training.safetensors", bytes, n);
    Trainer t = tiny_trainer();
    if (!trainer_resume(&t, fuzz_path("."))) abort();
    trainer_free(&t);
    free(bytes);
}
