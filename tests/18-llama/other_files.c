/* Tests of files that other programs wrote, or people changed: what they say of ends
 * and rules is taken, or refused with the reason. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "10-gpt2/model_tokenizer.h"
#include "18-llama/llama_load.h"
#include "18-llama/llama_tokenizer.h"
#include "base/error.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "changed.h"
#include "check/remove_tree.h"
#include "files/file.h"

enum { TOKENS = 460 };

static void write_file(const char *name, const char *text) {
    FileWriter w = file_begin(path_join(directory, name));
    file_printf(&w, "%s", text);
    file_commit(&w);
}

static void check_ends(const Tokenizer *t, const char *what) {
    CHECK(t->n_ends == 2 && t->ends[0] == 2 && t->ends[1] == 0 && t->begin == 1 &&
              t->pad == 3,
          "%s: %zu ends, the first %d, begin %d, padding %d", what, t->n_ends,
          t->ends[0], t->begin, t->pad);
}

/* Tokens that begin and end a text, by the files beside a model and by a GGUF file. */
Test(llama_files, ends_are_kept, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    char *path = path_join(directory, "t.gguf");
    Tokenizer *qwen = tokenizer_json_load(golden_path("llama_bpe/qwen.json"));
    Directory *d = directory_open(directory);
    tokenizer_json_save(qwen, d);
    directory_close(d);
    write_file("tokenizer_config.json",
               "{\"eos_token\": {\"content\": \"<|im_end|>\"}}");
    write_file("config.json", "{\"bos_token_id\": 1, \"eos_token_id\": 50256}");
    write_file("generation_config.json", "{\"eos_token_id\": [2, 0], "
                                         "\"pad_token_id\": 3}");
    Tokenizer *t = llama_tokenizer_load(directory, TOKENS);
    check_ends(t, "directory");
    GgufWriter *w = gguf_begin(path);
    gguf_put_tokenizer(w, t);
    gguf_commit(w);
    check_ends(llama_tokenizer_load(path, TOKENS), "GGUF");
}

static void load_it(void *path) {
    llama_tokenizer_load(path, 1000);
}

/* vocab.json and merges.txt alone do not say which rule cuts a text. */
Test(llama_files, rules_are_not_guessed, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    Directory *d = directory_open(directory);
    tokenizer_save(tokenizer_bytes(), d);
    directory_close(d);
    write_file("config.json", "{\"model_type\": \"llama\"}");
    expect_exit(EXIT_INPUT, "that of 'llama' is not guessed", load_it, directory);
    write_file("config.json", "{\"model_type\": \"qwen2\"}");
    const Tokenizer *t = llama_tokenizer_load(directory, 300);
    CHECK(t->normalize &&
              strcmp(pretokenizer_rule(t->pretokenizer)->name, "qwen2") == 0,
          "Qwen2's rule");
}

static char *gguf_with(const char *rule, const char *flag) {
    char *path = path_join(directory, "t.gguf");
    GgufWriter *w = gguf_begin(path);
    gguf_put_text(w, "general.architecture", "qwen2");
    gguf_put_text(w, "tokenizer.ggml.model", "gpt2");
    if (rule) gguf_put_text(w, "tokenizer.ggml.pre", rule);
    gguf_put_texts(w, "tokenizer.ggml.tokens", &(GgufText){"a", 1}, 1);
    gguf_put_ints(w, "tokenizer.ggml.token_type", (int32_t[]){1}, 1);
    gguf_put_texts(w, "tokenizer.ggml.merges", &(GgufText){"", 0}, 0);
    gguf_put_size(w, "tokenizer.ggml.bos_token_id", 0);
    if (flag) gguf_put_flag(w, flag, true);
    gguf_commit(w);
    return path;
}

Test(llama_files, rules_of_gguf, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    expect_exit(EXIT_INPUT, "key 'tokenizer.ggml.pre' is missing", load_it,
                gguf_with(NULL, NULL));
    expect_exit(0, "", load_it, gguf_with("deepseek-r1-qwen", NULL));
    expect_exit(0, "", load_it, gguf_with("llama-v3", NULL));
    expect_exit(EXIT_INPUT, "add_eos_token': is true", load_it,
                gguf_with("qwen2", "tokenizer.ggml.add_eos_token"));
    static const char add_bos[] = "tokenizer.ggml.add_bos_token";
    CHECK(llama_tokenizer_load(gguf_with("qwen2", add_bos), 9)->bos == 0, "a bos");
    CHECK(llama_tokenizer_load(gguf_with("qwen2", NULL), 9)->bos == -1, "no bos");
    CHECK(llama_tokenizer_load(gguf_with("llama-v3", NULL), 9)->bos == 0, "Llama 3's");
}

/* An added token that is a text of its own is found without being asked for. */
Test(llama_files, tokens_of_users, .timeout = 10) {
    Tokenizer *t = tokenizer_json_load(golden_path("llama_bpe/qwen.json"));
    int id = (int)string_table_add(&t->tokens, "<tool>", 6);
    size_t n;
    tokenizer_add_special(t, id, false);
    int *ids = tokenizer_encode(t, "a<tool>", 7, false, &n);
    CHECK(n == 2 && ids[1] == id, "%zu ids, expected 2", n);
}

/* A template may give its token another id than the vocabulary does. */
#define TEMPLATE(ids)                                                                  \
    "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{"                \
    "\"SpecialToken\":{\"id\":\"<|im_start|>\",\"type_id\":0}},{\"Sequence\":{"        \
    "\"id\":\"A\",\"type_id\":0}}],\"special_tokens\":{\"<|im_start|>\":{\"ids\":"     \
    "[" ids "]}}}"

static void load_template(void *ids) {
    tokenizer_json_load(write_changed("qwen", "\"post_processor\":null", ids));
}

Test(llama_files, ids_of_a_template, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    char *path = write_changed("qwen", "\"post_processor\":null", TEMPLATE("300"));
    CHECK(tokenizer_json_load(path)->bos == 300, "the template's id is taken");
    static const char *const bad[] = {TEMPLATE("460"), TEMPLATE("-1"), TEMPLATE("1.5"),
                                      TEMPLATE("1,2"), TEMPLATE("")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_exit(EXIT_INPUT, "ids of: <|im_start|>; known here: one id",
                    load_template, (void *)bad[i]);
}

/* PCRE2 gives up after 10 million steps, unless it is told otherwise. */
Test(llama_files, millions_of_blanks, .timeout = 60) {
    enum { N = 12000000 };
    Tokenizer *t = tokenizer_json_load(golden_path("llama_bpe/qwen.json"));
    char *text = malloc(N);
    size_t n;
    memset(text, ' ', N);
    int *ids = tokenizer_encode(t, text, N, false, &n);
    CHECK(n > 0 && n <= N && ids[0] == ids[n / 2], "%zu ids of %d blanks", n, N);
    free(text);
    free(ids);
}

/* The two files of a vocabulary do not say what is put around a text: for these
 * tokenizer_config.json does. */
static Tokenizer *load_with(const char *config) {
    Directory *d = directory_open(directory);
    tokenizer_save(tokenizer_bytes(), d);
    directory_close(d);
    write_file("tokenizer_config.json", config);
    return model_tokenizer(NULL, directory, TOKENS);
}

static void load_with_end(void *config) {
    load_with(config);
}

Test(llama_files, added_tokens_of_configs, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    static const struct {
        const char *config;
        int bos;
        bool space;
    } cases[] = {{"{}", -1, false},
                 {"{\"add_bos_token\": true}", 256, false},
                 {"{\"add_bos_token\": true, \"bos_token\": null}", -1, false},
                 {"{\"add_bos_token\": true, \"bos_token\": \"a\"}", 'a', false},
                 {"{\"add_bos_token\": false}", -1, false},
                 {"{\"add_prefix_space\": true}", -1, true}};
    char *path = path_join(directory, "t.gguf");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n;
        Tokenizer *t = load_with(cases[i].config);
        int *ids = tokenizer_encode(t, "xy", 2, false, &n);
        const char *json = cases[i].config;
        GgufWriter *w = gguf_begin(path);
        gguf_put_tokenizer(w, t);
        gguf_commit(w);
        const Tokenizer *back = llama_tokenizer_load(path, TOKENS);
        CHECK(back->bos == t->bos && back->prefix_space == t->prefix_space,
              "%s through GGUF: token %d in front", cases[i].config, back->bos);
        CHECK(t->bos == cases[i].bos, "%s: token %d in front", json, t->bos);
        CHECK(n == 2 + (size_t)cases[i].space && (ids[0] == 'x') != cases[i].space,
              "%s: %zu ids of xy", json, n);
    }
    expect_exit(EXIT_INPUT, "\"add_eos_token\" is true: an end", load_with_end,
                "{\"add_eos_token\": true}");
}

/* A mark whose name has a blank is no text of GPT-2's letters, and found if asked. */
Test(llama_files, marks_with_blanks, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    load_with("{}");
    size_t n;
    char *path = path_join(directory, "vocab.json"), *text = file_read(path, &n);
    FileWriter w = file_begin(path);
    file_printf(&w, "%.*s, \"<|my mark|>\": 257}", (int)(strrchr(text, '}') - text),
                text);
    file_commit(&w);
    Tokenizer *t = model_tokenizer(NULL, directory, TOKENS);
    int *ids = tokenizer_encode(t, "a<|my mark|>", 12, true, &n);
    CHECK(n == 2 && ids[1] == 257, "%zu ids, the second is %d", n, ids[1]);
    CHECK(strncmp(tokenizer_token(t, 257, &n), "<|my mark|>", 11) == 0, "its text");
    tokenizer_encode(t, "<|my mark|>", 11, false, &n);
    CHECK(n == 11, "%zu ids where it is not asked for", n);
}

/* A pair of a GGUF file as bytes: a number, or, for `filler`, a text of so many. */
static size_t put_pair(char *to, const char *key, float number, size_t filler) {
    uint64_t n = strlen(key), n_text = filler;
    uint32_t type = filler ? 8 : 6;
    char *at = to;
    memcpy(at, &n, sizeof n), at += sizeof n;
    memcpy(at, key, n), at += n;
    memcpy(at, &type, sizeof type), at += sizeof type;
    if (!filler) memcpy(at, &number, sizeof number), at += sizeof number;
    if (filler) memcpy(at, &n_text, sizeof n_text), at += sizeof n_text + filler;
    return (size_t)(at - to);
}

static void load_gguf(void *path) {
    llama_load(path, PARAMS_MAPPED);
}

/* What no rotation here does: in front of the file's own pairs, with as many bytes more
 * as leave the tensors aligned. */
Test(llama_files, factor_of_attention, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    enum { HEADER = 24, N_PAIRS = 16, MORE = 128 };
    size_t bytes;
    char *path = path_join(directory, "m.gguf"), pairs[MORE] = {0},
         *file = file_read(golden_path("llama/llama3/llama_cpp.gguf"), &bytes);
    static const float factors[] = {1, 2};
    for (size_t i = 0; i < 2; i++) {
        size_t n = put_pair(pairs, "llama.rope.scaling.attn_factor", factors[i], 0);
        put_pair(pairs + n, "more", 0, MORE - n - 24);
        FileWriter w = file_begin(path);
        if (i == 0) file[N_PAIRS] = (char)(file[N_PAIRS] + 2);
        file_write(&w, file, HEADER);
        file_write(&w, pairs, MORE);
        file_write(&w, file + HEADER, bytes - HEADER);
        file_commit(&w);
        expect_exit(i ? EXIT_INPUT : 0, i ? "attn_factor' is not 1" : "", load_gguf,
                    path);
    }
}
