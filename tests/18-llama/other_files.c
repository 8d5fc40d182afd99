/* Tests of files that other programs wrote, or people changed: what they say of ends
 * and rules is taken, or refused with the reason. */
#include <string.h>

#include "10-gpt2/gguf_tokenizer.h"
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

static char *gguf_without(const char *rule) {
    char *path = path_join(directory, "t.gguf");
    GgufWriter *w = gguf_begin(path);
    gguf_put_text(w, "general.architecture", "qwen2");
    gguf_put_text(w, "tokenizer.ggml.model", "gpt2");
    if (rule) gguf_put_text(w, "tokenizer.ggml.pre", rule);
    gguf_put_texts(w, "tokenizer.ggml.tokens", &(GgufText){"a", 1}, 1);
    gguf_put_ints(w, "tokenizer.ggml.token_type", (int32_t[]){1}, 1);
    gguf_put_texts(w, "tokenizer.ggml.merges", &(GgufText){"", 0}, 0);
    gguf_put_size(w, "tokenizer.ggml.bos_token_id", 0);
    gguf_commit(w);
    return path;
}

Test(llama_files, rules_of_gguf, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    expect_exit(EXIT_INPUT, "key 'tokenizer.ggml.pre' is missing", load_it,
                gguf_without(NULL));
    expect_exit(0, "", load_it, gguf_without("deepseek-r1-qwen"));
    expect_exit(0, "", load_it, gguf_without("llama-v3"));
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
