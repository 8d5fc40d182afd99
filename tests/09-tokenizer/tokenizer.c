/* The tokenizer without GPT-2's vocabulary: bytes, words, a vocabulary of its own,
 * files, and what they refuse. */
#include "09-tokenizer/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "09-tokenizer/vocabulary.h"
#include "check/remove_tree.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "math/random.h"

static const char sample[] =
    "the cat and the hat, the cat's hat; the 12 cats' hats\n\n  and   the rest.\n";

static void check_round_trip(const Tokenizer *t, const char *bytes, size_t n) {
    size_t n_tokens, n_back;
    int *ids = tokenizer_encode(t, bytes, n, false, &n_tokens);
    char *back = tokenizer_decode(t, ids, n_tokens, &n_back);
    CHECK(n == n_back && memcmp(back, bytes, n) == 0,
          "%zu bytes came back as %zu, or changed", n, n_back);
    free(ids);
    free(back);
}

Test(tokenizer, bytes, .timeout = 10) {
    Tokenizer *t = tokenizer_bytes();
    size_t n;
    CHECK(tokenizer_n_vocab(t) == 257 && tokenizer_eot(t) == 256, "%zu tokens",
          tokenizer_n_vocab(t));
    int *ids =
        tokenizer_encode(t, "a \xff" END_OF_TEXT, 3 + strlen(END_OF_TEXT), true, &n);
    CHECK(n == 4 && ids[0] == 'a' && ids[1] == ' ' && ids[2] == 255 && ids[3] == 256,
          "%zu tokens", n);
    tokenizer_encode(t, "a \xff" END_OF_TEXT, 3 + strlen(END_OF_TEXT), false, &n);
    CHECK(n == 3 + strlen(END_OF_TEXT),
          "not asked for, the special token is text: %zu tokens", n);
    tokenizer_encode(t, "", 0, true, &n);
    CHECK(n == 0, "no text: %zu tokens", n);
}

static void check_words(const char *text, const char *expected) {
    char got[300] = "";
    size_t used = 0, n;
    const char *word;
    Pretokenizer *p = pretokenizer_create(&gpt2_words);
    WordWalk walk = words_begin(p, text, strlen(text));
    while (words_next(&walk, &word, &n))
        used += (size_t)snprintf(got + used, 300 - used, "[%.*s]", (int)n, word);
    words_end(&walk);
    pretokenizer_free(p);
    CHECK(strcmp(got, expected) == 0, "%s: got %s, expected %s", text, got, expected);
}

Test(tokenizer, words, .timeout = 10) {
    check_words("Hello world", "[Hello][ world]");
    check_words("don't DON'T we'll", "[don]['t][ DON]['][T][ we]['ll]");
    check_words("a   b", "[a][  ][ b]");
    check_words("a\n\n b \t", "[a][\n\n][ b][ \t]");
    check_words("x2y 34", "[x][2][y][ 34]");
    check_words("it... (ok)", "[it][...][ (][ok][)]");
    check_words("\xc3\xa9t\xc3\xa9 \xe4\xbd\xa0\xe5\xa5\xbd",
                "[\xc3\xa9t\xc3\xa9][ \xe4\xbd\xa0\xe5\xa5\xbd]");
    check_words("a\xc2\xa0"
                "b",
                "[a][\xc2\xa0][b]"); /* a no-break space leads no word */
    check_words("a\xe1\xa0\x8e"
                "b",
                "[a][\xe1\xa0\x8e][b]"); /* U+180E is no white space, and no letter */
    check_words("a\xff!b \xe2\x82", "[a][\xff!][b][ \xe2\x82]");
}

Test(tokenizer, trained, .timeout = 10) {
    Tokenizer *t = tokenizer_train(sample, strlen(sample), 266);
    CHECK(tokenizer_n_vocab(t) == 266 && tokenizer_eot(t) == 265 && t->merges.n == 9,
          "%zu tokens, %zu merges", tokenizer_n_vocab(t), t->merges.n);
    size_t n, length;
    int *ids = tokenizer_encode(t, " the", 4, false, &n);
    CHECK(n == 1, "\" the\" became %zu tokens, expected 1", n);
    CHECK(ids[0] >= 256 &&
              strncmp(tokenizer_token(t, ids[0], &length), " the", 4) == 0 &&
              length == 4,
          "token %d", ids[0]);
    check_round_trip(t, sample, strlen(sample));
}

/* The separator of documents must not become part of a token, however often it
 * occurs. */
Test(tokenizer, trained_on_documents, .timeout = 10) {
    static const char documents[] = "ab" END_OF_TEXT "ab" END_OF_TEXT "ab" END_OF_TEXT;
    Tokenizer *t = tokenizer_train(documents, strlen(documents), 300);
    CHECK(t->merges.n == 1 && tokenizer_n_vocab(t) == 258,
          "%zu merges, expected 1: only (a, b)", t->merges.n);
}

Test(tokenizer, any_bytes_round_trip, .timeout = 20) {
    Tokenizer *t = tokenizer_train(sample, strlen(sample), 290);
    Random random = random_create(2);
    for (size_t n = 0; n < 300; n++) {
        char bytes[300];
        for (size_t i = 0; i < n; i++)
            bytes[i] = n % 2 ? (char)random_below(&random, 256)
                             : sample[random_below(&random, 60)];
        check_round_trip(t, bytes, n);
    }
    for (int b = 0; b < 256; b++) check_round_trip(t, &(char){(char)b}, 1);
}

/* The words are encoded once and copied afterwards: the second half must equal the
 * first. */
Test(tokenizer, repeated_words, .timeout = 10) {
    Tokenizer *t = tokenizer_train(sample, strlen(sample), 280);
    char twice[2 * sizeof sample];
    size_t once_n, twice_n, bytes = strlen(sample);
    memcpy(twice, sample, bytes);
    memcpy(twice + bytes, sample, bytes);
    int *once = tokenizer_encode(t, sample, bytes, false, &once_n);
    int *both = tokenizer_encode(t, twice, 2 * bytes, false, &twice_n);
    CHECK(twice_n == 2 * once_n && memcmp(both, once, once_n * sizeof *once) == 0 &&
              memcmp(both + once_n, once, once_n * sizeof *once) == 0,
          "the text twice is not its tokens twice");
}

Test(tokenizer, letters_of_bytes, .timeout = 10) {
    CHECK(byte_letter('!') == '!' && byte_letter(' ') == 0x120 &&
              byte_letter('\n') == 0x10a && byte_letter(0xad) == 0x143,
          "blank U+%04x, line feed U+%04x, 0xad U+%04x", (unsigned)byte_letter(' '),
          (unsigned)byte_letter('\n'), (unsigned)byte_letter(0xad));
    CHECK(byte_in_order(0) == '!' && byte_in_order(188) == 0 &&
              byte_in_order(255) == 0xad && byte_in_order(220) == ' ',
          "ids 0, 188, 220, 255 are the bytes %d, %d, %d, %d", byte_in_order(0),
          byte_in_order(188), byte_in_order(220), byte_in_order(255));
}

/* --- files ---------------------------------------------------------------- */

static char *const directory = scratch;

static void save(const Tokenizer *t, const char *path) {
    Directory *d = directory_open(path);
    tokenizer_save(t, d);
    directory_close(d);
}

static void make_files(void) {
    scratch_begin();
    save(tokenizer_train(sample, strlen(sample), 266), directory);
}

Test(tokenizer, saved_and_loaded, .timeout = 10, .init = make_files,
     .fini = scratch_end) {
    Tokenizer *t = tokenizer_train(sample, strlen(sample), 266),
              *loaded = tokenizer_load(directory);
    size_t n, n_loaded;
    int *ids = tokenizer_encode(t, sample, strlen(sample), false, &n);
    int *ids_loaded =
        tokenizer_encode(loaded, sample, strlen(sample), false, &n_loaded);
    CHECK(tokenizer_n_vocab(t) == tokenizer_n_vocab(loaded) &&
              tokenizer_eot(loaded) == 265,
          "%zu tokens, end of text %d", tokenizer_n_vocab(loaded),
          tokenizer_eot(loaded));
    CHECK(n == n_loaded && memcmp(ids, ids_loaded, n * sizeof *ids) == 0,
          "the loaded vocabulary encodes otherwise");
}

/* Bytes as tokens, with no merge at all, are a vocabulary like any other. */
Test(tokenizer, saves_bytes, .timeout = 10, .init = make_files, .fini = scratch_end) {
    save(tokenizer_bytes(), directory);
    Tokenizer *loaded = tokenizer_load(directory);
    size_t n, bytes;
    int *ids = tokenizer_encode(loaded, "a\n\xff<|endoftext|>", 16, true, &n);
    CHECK(n == 4 && ids[0] == 'a' && ids[1] == '\n' && ids[2] == 0xff && ids[3] == 256,
          "%zu tokens: %d %d %d %d", n, ids[0], ids[1], ids[2], ids[3]);
    file_read(path_join(directory, "merges.txt"), &bytes);
    CHECK(bytes == strlen("#version: 0.2\n"), "merges.txt has %zu bytes", bytes);
}

/* One of the two files, with a piece of it replaced (or, with NULL, as a whole). */
typedef struct {
    const char *file, *piece, *replacement;
} Damage;

static void load_damaged(void *argument) {
    const Damage *d = argument;
    char *path = path_join(directory, d->file);
    size_t n;
    char *text = file_read(path, &n), *at = d->piece ? strstr(text, d->piece) : text;
    if (!at) die("'%s' is not in %s", d->piece, path);
    FileWriter w = file_begin(path);
    file_write(&w, text, (size_t)(at - text));
    file_printf(&w, "%s", d->replacement);
    if (d->piece) file_printf(&w, "%s", at + strlen(d->piece));
    file_commit(&w);
    tokenizer_load(directory);
}

static void write_file(const char *name, const char *text) {
    FileWriter w = file_begin(path_join(directory, name));
    file_printf(&w, "%s", text);
    file_commit(&w);
}

/* Line ends of Windows, no END_OF_TEXT, and tokens that were added. */
Test(tokenizer, other_peoples_files, .timeout = 10, .init = make_files,
     .fini = scratch_end) {
    Tokenizer *t = tokenizer_bytes();
    string_table_add(&t->tokens, "he", 2);
    save(t, directory);
    write_file("merges.txt", "#version: 0.2\r\nh e\r\n");
    write_file("added_tokens.json", "{\"<b>\": 259, \"<a>\": 258}");
    Tokenizer *loaded = tokenizer_load(directory);
    size_t n;
    int *ids = tokenizer_encode(loaded, "he<b>", 5, true, &n);
    CHECK(n == 2 && ids[0] == 257 && ids[1] == 259, "%zu ids, %d %d", n, ids[0],
          ids[1]);
    load_damaged(&(Damage){"vocab.json", "<|endoftext|>", "<s>"});
    CHECK(tokenizer_eot(tokenizer_load(directory)) == -1, "it has no end of the text");
}

static void check_damage(const char *file, const char *piece, const char *replacement,
                         const char *message) {
    save(tokenizer_train(sample, strlen(sample), 266), directory);
    expect_exit(EXIT_INPUT, message, load_damaged, &(Damage){file, piece, replacement});
}

Test(tokenizer, damaged_files_are_refused, .timeout = 20, .init = make_files,
     .fini = scratch_end) {
    check_damage("vocab.json", "\"!\": 0", "\"!\": 0.5", "has no id from 0 to 265");
    check_damage("vocab.json", "\"!\": 0", "\"!\": \"0\"", "has no id from 0 to 265");
    check_damage("vocab.json", "\"!\": 0", "\"!\": 1e300", "has no id from 0 to 265");
    check_damage("vocab.json", "\"!\": 0", "\"!\": 1", "id 1 stands there twice");
    check_damage("vocab.json", "\"!\": 0, ", "", "has no id from 0 to 264");
    check_damage("vocab.json", "\"!\": 0", "\"\u2581a\": 0",
                 "is not written in GPT-2's letters");
    check_damage("vocab.json", "\"!\": 0", "\"zzz\": 0",
                 "there is no token for the byte 0x21");
    check_damage("vocab.json", NULL, "", "vocab.json");
    check_damage("vocab.json", NULL, "[1, 2]", "vocab.json");
    check_damage("vocab.json", NULL, "{}", "there is no token for the byte");
    check_damage("merges.txt", "#version: 0.2\n", "#version: 0.2\nab\n",
                 "line 2: expected two tokens");
    check_damage("merges.txt", "#version: 0.2\n", "#version: 0.2\na b c\n",
                 "line 2: expected two tokens");
    check_damage("merges.txt", "#version: 0.2\n", "#version: 0.2\na \n",
                 "line 2: expected two tokens");
    check_damage("merges.txt", "#version: 0.2\n", "#version: 0.2\nz q\n",
                 "line 2: 'z q' is not in vocab.json");
    check_damage("merges.txt", "#version: 0.2\n", "#version: 0.2\nt he\n",
                 "line 2: 't he' uses a token that no earlier line makes");
    check_damage("merges.txt", "#version: 0.2\n", "#version: 0.2\nh e\n",
                 "'h e' stands there twice");
}

static void token_out_of_range(void *argument) {
    size_t n;
    tokenizer_token(tokenizer_bytes(), *(int *)argument, &n);
}

static void load_missing(void *argument) {
    tokenizer_load(argument);
}

Test(tokenizer, ids_and_paths_are_checked, .timeout = 10) {
    expect_exit(EXIT_INPUT, "token 257: expected 0 to 256", token_out_of_range,
                &(int){257});
    expect_exit(EXIT_INPUT, "token -1: expected 0 to 256", token_out_of_range,
                &(int){-1});
    expect_exit(0, "", token_out_of_range, &(int){256});
    expect_exit(EXIT_INPUT, "no-such-place", load_missing, "no-such-place");
}
