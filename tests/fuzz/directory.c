/* A whole model directory, damaged in several of its files at once: it is refused, or
 * it loads, encodes, predicts, and training goes on from it.
 *
 * The data are pieces: which file (its upper half: make the checksum fit, or remove the
 * file), the number of edits, and the edits of fuzz_damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/verify.h"
#include "files/file.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_checksum.h"
#include "check/tiny_trainer.h"

static const char learned[] = "the theory of the other theme; the others bathe there";
static const char *const names[] = {"config.json", "vocab.json", "merges.txt",
                                    "model.safetensors", "training.safetensors"};
enum { N_FILES = sizeof names / sizeof *names };

static struct {
    char *bytes;
    size_t size;
} good[N_FILES];
static Tokenizer *tokenizer;
static Dataset dataset;
static FILE *nowhere;

static void make_good(void) {
    nowhere = fopen("/dev/null", "w");
    tokenizer = tokenizer_train(learned, strlen(learned), 262);
    static TokenText text;
    text.tokens = tokenizer_encode(tokenizer, learned, strlen(learned), false, &text.n);
    dataset = (Dataset){
        .train = text, .validation = text, .n_vocab = tokenizer_n_vocab(tokenizer)};
    tokenizer_checksum(tokenizer, dataset.vocabulary);
    Trainer t = tiny_trainer(&dataset);
    trainer_step(&t);
    Directory *directory = directory_open(fuzz_path("."));
    trainer_save(&t, directory);
    gpt2_save(t.model, tokenizer, directory);
    directory_close(directory);
    trainer_free(&t);
    for (size_t i = 0; i < N_FILES; i++)
        good[i].bytes = file_read(fuzz_path(names[i]), &good[i].size);
}

/* One piece; returns what of the data it has used. */
static size_t damage(const char *data, size_t size) {
    size_t file = (unsigned char)data[0] % 16 % N_FILES,
           how = (unsigned char)data[0] / 64;
    size_t edits = size > 1 ? (unsigned char)data[1] % 32 * 3 : 0,
           used = size > 1 ? 2 : 1;
    if (edits > size - used) edits = size - used;
    size_t n = good[file].size;
    char *bytes = fuzz_damaged(good[file].bytes, &n, data + used, edits);
    if (how == 1) fit_checksum(bytes, n);
    const char *path = fuzz_write(names[file], bytes, n);
    if (how == 2) unlink(path);
    free(bytes);
    return used + edits;
}

static void use(void) {
    for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
        Gpt2 *model = gpt2_load(fuzz_path("."), mode);
        Tape t = tape_for_inference();
        gpt2_logits(&t, model,
                    &(Gpt2Input){.tokens = (int[]){0}, .batch = 1, .length = 1});
        if (mode == PARAMS_MAPPED) gpt2_verify(model, fuzz_path("."), nowhere);
        tape_free(&t);
        gpt2_free(model);
    }
    Tokenizer *loaded = tokenizer_load(fuzz_path("."));
    size_t n;
    free(tokenizer_encode(loaded, learned, strlen(learned), true, &n));
    tokenizer_free(loaded);
    Trainer trainer = tiny_trainer(&dataset);
    if (trainer_resume(&trainer, fuzz_path(".")))
        while (trainer.step < trainer.settings.steps) trainer_step(&trainer);
    trainer_free(&trainer);
}

FUZZ_TARGET(directory) {
    if (!tokenizer) make_good();
    for (size_t i = 0; i < N_FILES; i++)
        fuzz_write(names[i], good[i].bytes, good[i].size);
    for (size_t at = 0; at < size;) at += damage(data + at, size - at);
    use();
}
