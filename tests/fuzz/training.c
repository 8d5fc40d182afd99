/* A damaged checkpoint of a training run: it is refused, or training goes on from
 * it. */
#include <stdlib.h>
#include <string.h>

#include "files/file.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_checksum.h"
#include "check/tiny_trainer.h"

static const Dataset *tiny_data(void) {
    static int tokens[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    static const TokenText text = {.tokens = tokens,
                                   .n = sizeof tokens / sizeof *tokens};
    static Dataset data;
    data = (Dataset){.train = text, .validation = text, .n_vocab = 3};
    return &data;
}

FUZZ_TARGET(training) {
    static char *good;
    static size_t good_size;
    if (!good) {
        Trainer t = tiny_trainer(tiny_data());
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
    Trainer t = tiny_trainer(tiny_data());
    if (!trainer_resume(&t, fuzz_path("."))) abort();
    trainer_free(&t);
    free(bytes);
}
