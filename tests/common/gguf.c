/* Tests of common/gguf: what is written is read back; files that lie end with one line
 * and exit code 1. */
#include "checkpoints/gguf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/remove_tree.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "weights/weight_blocks.h"

static char *const path = scratch_file;
TestSuite(gguf, .init = scratch_begin, .fini = scratch_end, .timeout = 60);

static BlockQ8_0 blocks[3];
static const float numbers[5] = {1, 2, 3, 4, 5};

/* Two tensors of 102 and 20 bytes: both are padded. */
static void write_good(void) {
    GgufWriter *w = gguf_begin(path);
    gguf_put_text(w, "name", "a model");
    gguf_put_size(w, "size", 7);
    gguf_put_number(w, "eps", 0.5f);
    gguf_put_texts(w, "words", (GgufText[]){{"one", 3}, {"", 0}, {"three", 5}}, 3);
    gguf_put_ints(w, "ints", (int32_t[]){1, -2}, 2);
    blocks[1] = (BlockQ8_0){.scale = 0x3c00, .q = {-3, 5}};
    gguf_add(w, "matrix", 2,
             &(Weight){.type = &weight_q8_0,
                       .data = blocks,
                       .rows = BLOCK,
                       .cols = 3,
                       .transposed = true});
    Weight vector = weight_of_floats(numbers, 1, 5);
    gguf_add(w, "vector", 1, &vector);
    gguf_commit(w);
}

Test(gguf, what_is_written_is_read) {
    write_good();
    CHECK(gguf_is_file(path) && !gguf_is_file("LICENSE") && !gguf_is_file("tests") &&
              !gguf_is_file("none"),
          "what a GGUF file is");
    Gguf *file = gguf_open(path);
    size_t n;
    GgufText name = gguf_text(file, "name"), *words = gguf_texts(file, "words", &n);
    CHECK(name.bytes == 7 && memcmp(name.text, "a model", 7) == 0 &&
              gguf_text(file, "nothing").text == NULL,
          "a text of %zu bytes", name.bytes);
    CHECK(n == 3 && words[1].bytes == 0 && words[2].bytes == 5 &&
              memcmp(words[2].text, "three", 5) == 0,
          "%zu words", n);
    free(words);
    CHECK(gguf_size(file, "size", 0, 10) == 7 && gguf_number(file, "eps", 0, 1) == 0.5,
          "the numbers");
    const GgufTensor *matrix = gguf_find(file, "matrix"),
                     *vector = gguf_find(file, "vector");
    CHECK(matrix && vector && !gguf_find(file, "none") && file->n_tensors == 2,
          "%zu tensors", file->n_tensors);
    CHECK(matrix->type == &weight_q8_0 && matrix->ndim == 2 && matrix->shape[0] == 3 &&
              matrix->shape[1] == BLOCK &&
              memcmp(matrix->data, blocks, sizeof blocks) == 0,
          "the matrix is %zu x %zu", matrix->shape[0], matrix->shape[1]);
    CHECK(vector->type == &weight_f32 && vector->ndim == 1 && vector->shape[0] == 5 &&
              memcmp(vector->data, numbers, sizeof numbers) == 0,
          "the vector");
    gguf_close(file);
    size_t bytes;
    free(file_read(path, &bytes));
    CHECK(bytes % 32 == 0, "%zu bytes: the end is padded", bytes);
}

static void open_it(void *unused) {
    (void)unused;
    Gguf *file = gguf_open(path);
    gguf_size(file, "size", 0, 10);
    size_t n;
    free(gguf_texts(file, "words", &n));
    gguf_close(file);
}

/* Puts `bytes` at `from_name` bytes behind the first place of `name` and opens the
 * file. */
static void check_damage(const char *name, long behind, const char *bytes, size_t n,
                         const char *message) {
    size_t size, length = strlen(name);
    write_good();
    char *good = file_read(path, &size), *at = good;
    while (at + length <= good + size && memcmp(at, name, length) != 0) at++;
    cr_assert(at + length <= good + size, "%s is not in the file", name);
    memcpy(at + behind, bytes, n);
    put_file(path, good, size);
    free(good);
    expect_exit(EXIT_INPUT, message, open_it, NULL);
}

Test(gguf, damage_is_named) {
    check_damage("GGUF", 0, "GGUX", 4, "is not a GGUF file");
    check_damage("GGUF", 4, "\1", 1, "is GGUF version 1, expected 2 or 3");
    check_damage("GGUF", 4, "\0\0\0\3", 4, "is a big-endian GGUF file");
    check_damage("words", 9, "\11", 1, "key 'words': is an array of arrays");
    check_damage("GGUF", 8, "\377\377", 2,
                 "the number of tensors is 65535, but at most");
    check_damage("GGUF", 15, "\200", 1, "the number of tensors is 9223372036854775810");
    check_damage("GGUF", 16, "\377", 1, "the number of keys is 255, but at most");
    check_damage("name", -8, "\0", 1, "a key has 0 bytes");
    check_damage("name", -1, "\1", 1, "ends in a key (cut short?)");
    check_damage("name", 4, "\15", 1, "key 'name': its type is 13");
    check_damage("size", 0, "name", 4, "key 'name': is there twice");
    check_damage("size", 8, "\13", 1, "key 'size': is 11, expected 0 to 10");
    check_damage("size", 4, "\6", 1, "key 'size': is not a whole number");
    check_damage("words", 24, "\1", 1, "ends in a text (cut short?)");
    check_damage("words", 9, "\4", 1, "ends in a key (cut short?)");
    check_damage("ints", 12, "\377\377\377\377", 4,
                 "key 'ints': 4294967295 values do not fit the file");
    check_damage("matrix", 0, "vector", 6, "tensor 'vector': is there twice");
    check_damage("matrix", 6, "\5", 1, "tensor 'matrix': has 5 axes, expected 1 to 4");
    check_damage("matrix", 10, "\37", 1,
                 "tensor 'matrix': has rows of 31, expected a multiple of 32 for Q8_0");
    check_damage("matrix", 18, "\0", 1, "tensor 'matrix': axis 0 is 0");
    check_damage("matrix", 25, "\1", 1, "tensor 'matrix': axis 0 is");
    check_damage("matrix", 26, "\5", 1,
                 "tensor 'matrix': its type is 5, expected F32, F16");
    check_damage("matrix", 30, "\40", 1,
                 "tensor 'matrix': its data begin at byte 32, expected 0");
    check_damage("matrix", 18, "\4", 1,
                 "tensor 'vector': its data begin at byte 128, expected 160");
    check_damage("vector", 10, "\100", 1,
                 "tensor 'vector': its data end at byte 384, but the file has only");
    check_damage("vector", 6, "\2", 1, "tensor 'vector': ");
}

Test(gguf, every_length_is_refused_but_the_whole) {
    size_t size;
    write_good();
    char *good = file_read(path, &size);
    for (size_t n = 1; n < size - 12; n += n < 400 ? 1 : 7) { /* 12 bytes are padding */
        put_file(path, good, n);
        char message[1024];
        cr_assert(exit_code_of(open_it, NULL, message) == EXIT_INPUT,
                  "%zu of %zu bytes: %s", n, size, message);
    }
    free(good);
}

/* Large models come in parts, each a GGUF file of its own. */
Test(gguf, a_part_is_refused) {
    for (size_t part = 0; part < 2; part++) {
        GgufWriter *w = gguf_begin(path);
        gguf_put_size(w, "split.no", part);
        gguf_put_size(w, "split.count", 2);
        gguf_commit(w);
        expect_exit(EXIT_INPUT, part ? "is part 2 of 2" : "is part 1 of 2", open_it,
                    NULL);
    }
}

static void add_unknown(void *unused) {
    (void)unused;
    static const WeightType other = {.name = "other"};
    gguf_add(gguf_begin(path), "x", 2, &(Weight){.type = &other, .rows = 1, .cols = 1});
}

Test(gguf, the_writer_refuses_what_the_format_has_not) {
    expect_exit(EXIT_INPUT, "tensor 'x': a GGUF file has no weights of type other",
                add_unknown, NULL);
}
