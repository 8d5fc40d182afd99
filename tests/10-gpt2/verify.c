/* Tests of --check: a directory that is not what was saved is noticed, whichever bit of
 * whichever file it is. */
#include "10-gpt2/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"

static char *const directory = scratch;
TestSuite(verify, .init = scratch_begin, .fini = scratch_end, .timeout = 120);

static Tokenizer *vocabulary(void) {
    static const char text[] = "the theory of the other theme; the others bathe there";
    return tokenizer_train(text, strlen(text), 262);
}

/* The loader speaks first: its refusal is as good. */
static void load_and_verify(void *path) {
    Gpt2 *model = gpt2_load(path, PARAMS_MAPPED);
    FILE *nowhere = fopen("/dev/null", "w");
    gpt2_verify(model, path, nowhere);
    fclose(nowhere);
    gpt2_free(model);
}

static void save(const Tokenizer *tokenizer) {
    Gpt2Config config = gpt2_config(
        tokenizer ? tokenizer_n_vocab(tokenizer) : TOKENIZER_MIN_VOCAB, 4, 1, 1, 4);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    Directory *d = directory_open(directory);
    gpt2_save(model, tokenizer, d);
    directory_close(d);
    gpt2_free(model);
}

static void write_file(const char *name, const char *bytes, size_t n) {
    char *path = path_join(directory, name);
    put_file(path, bytes, n);
    free(path);
}

static void expect_every_bit_noticed(const char *name, int n_bits) {
    size_t n;
    char *bytes = file_read(path_join(directory, name), &n), message[1024];
    Random where = random_create(1);
    for (int i = 0; i < n_bits; i++) {
        size_t bit = random_below(&where, (uint32_t)(8 * n));
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        write_file(name, bytes, n);
        int code = exit_code_of(load_and_verify, directory, message);
        CHECK(code == 1, "another bit %zu of %s is not noticed: exit code %d", bit,
              name, code);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    write_file(name, bytes, n);
}

Test(verify, every_bit_counts) {
    save(vocabulary());
    expect_exit(0, "", load_and_verify, directory);
    expect_every_bit_noticed("model.safetensors", 100);
    expect_every_bit_noticed("config.json", 60);
    expect_every_bit_noticed("vocab.json", 60);
    expect_every_bit_noticed("merges.txt", 60);
    expect_exit(0, "", load_and_verify, directory);
}

Test(verify, vocabulary_beside_a_model_of_bytes) {
    save(vocabulary());
    size_t n, m;
    char *vocab = file_read(path_join(directory, "vocab.json"), &n),
         *merges = file_read(path_join(directory, "merges.txt"), &m);
    save(NULL);
    unlink(path_join(directory, "vocab.json"));
    unlink(path_join(directory, "merges.txt"));
    expect_exit(0, "", load_and_verify, directory);
    write_file("vocab.json", vocab, n);
    write_file("merges.txt", merges, m);
    expect_exit(
        1, "vocab.json': the weights were saved without it; bytes are their tokens",
        load_and_verify, directory);
}

/* Hugging Face's files carry no checksum: what can be checked is. */
Test(verify, other_peoples_files) {
    expect_exit(0, "", load_and_verify, (void *)golden_path("tiny_gpt2"));
}
