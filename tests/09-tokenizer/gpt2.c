/* The tokenizer against the ids that five other GPT-2 tokenizers agree on
 * (tests/golden/bpe). Needs GPT-2's vocabulary: the directory that GPT2_BPE names, or
 * data/gpt2. */
#include "09-tokenizer/tokenizer.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/remove_tree.h"
#include "check/check.h"
#include "files/file.h"
#include "check/golden.h"
#include "base/memory.h"

static Tokenizer *gpt2_or_skip(void) {
    const char *directory = getenv("GPT2_BPE");
    if (!directory) directory = "data/gpt2";
    char *merges = path_join(directory, "merges.txt");
    if (access(merges, R_OK) != 0) {
        printf("SKIPPED: GPT-2's vocabulary is not there (GPT2_BPE=DIRECTORY, or "
               "data/gpt2)\n");
        return NULL;
    }
    return tokenizer_load(directory);
}

static const char *ids_text(const int *ids, size_t n) {
    static char text[2][600];
    static int which;
    char *out = text[which ^= 1];
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < n && used < 580; i++)
        used += (size_t)snprintf(out + used, 600 - used, "%d ", ids[i]);
    return out;
}

static void check_line(const Tokenizer *t, const char *line, bool encode,
                       bool special) {
    cJSON *json = cJSON_Parse(line);
    const char *hex = cJSON_GetStringValue(cJSON_GetObjectItem(json, "text_hex"));
    const cJSON *list = cJSON_GetObjectItem(json, "ids"), *entry;
    size_t n_bytes, n_ids = 0, n_got, n_decoded;
    char *bytes = golden_bytes(hex, &n_bytes);
    int *ids = checked_alloc((size_t)cJSON_GetArraySize(list), sizeof *ids);
    cJSON_ArrayForEach(entry, list) ids[n_ids++] = entry->valueint;

    char *decoded = tokenizer_decode(t, ids, n_ids, &n_decoded);
    CHECK(n_decoded == n_bytes && memcmp(decoded, bytes, n_bytes) == 0,
          "decoding %s does not give %s", ids_text(ids, n_ids), hex);
    if (encode) {
        int *got = tokenizer_encode(t, bytes, n_bytes, special, &n_got);
        CHECK(n_got == n_ids && memcmp(got, ids, n_ids * sizeof *ids) == 0,
              "%s (\"%s\"): got %s, expected %s", hex, bytes, ids_text(got, n_got),
              ids_text(ids, n_ids));
    }
    cJSON_Delete(json);
}

static void check_file(const char *name, size_t n_expected, bool encode, bool special) {
    Tokenizer *t = gpt2_or_skip();
    if (!t) return;
    CHECK(tokenizer_n_vocab(t) == 50257 && t->merges.n == 50000 &&
              tokenizer_eot(t) == 50256,
          "%zu tokens, %zu merges, end of text %d", tokenizer_n_vocab(t), t->merges.n,
          tokenizer_eot(t));
    char path[100];
    snprintf(path, sizeof path, "bpe/%s.jsonl", name);
    size_t size, lines = 0;
    char *text = file_read(golden_path(path), &size);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        check_line(t, line, encode, special);
    }
    CHECK(lines == n_expected, "%zu lines in %s, expected %zu", lines, path,
          n_expected);
}

Test(gpt2, texts, .timeout = 30) {
    check_file("bpe_dev", 300, true, false);
}
Test(gpt2, special_token, .timeout = 30) {
    check_file("special", 7, true, true);
}
Test(gpt2, decoding, .timeout = 30) {
    check_file("decode", 200, false, false);
}
Test(gpt2, bytes_that_are_no_utf8, .timeout = 30) {
    check_file("invalid_utf8", 161, true, false);
}
Test(gpt2, white_space_where_engines_differ, .timeout = 30) {
    check_file("edge_whitespace", 26, true, false);
}

/* A saved vocabulary can be read again: load, save, load. */
Test(gpt2, saved_and_loaded, .timeout = 30) {
    Tokenizer *t = gpt2_or_skip();
    if (!t) return;
    char *directory = new_directory();
    Directory *d = directory_open(directory);
    tokenizer_save(t, d);
    directory_close(d);
    Tokenizer *again = tokenizer_load(directory);
    static const char text[] =
        "It's 2024: \xc3\xa9t\xc3\xa9, \"quoted\" \\ and\n\n  indented <|endoftext|>";
    size_t n, n_again;
    int *ids = tokenizer_encode(t, text, strlen(text), true, &n);
    int *ids_again = tokenizer_encode(again, text, strlen(text), true, &n_again);
    CHECK(n == n_again && memcmp(ids, ids_again, n * sizeof *ids) == 0,
          "the saved vocabulary encodes otherwise");
    const char *names[] = {"vocab.json", "merges.txt"};
    for (int i = 0; i < 2; i++) unlink(path_join(directory, names[i]));
    rmdir(directory);
}
