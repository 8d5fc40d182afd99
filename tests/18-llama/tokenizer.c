/* Tokenizers of SmolLM2's, Qwen's and Llama 3's kind against the ids that Hugging
 * Face's tokenizers gives (tests/golden/llama_bpe), there and back through GGUF, chats,
 * and what is refused. Qwen3's own is tried where QWEN_BPE names the directory of its
 * tokenizer.json and strings.jsonl. */
#include "18-llama/llama_tokenizer.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "10-gpt2/model_tokenizer.h"
#include "18-llama/chat.h"
#include "18-llama/llama_words.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/remove_tree.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "changed.h"
#include "files/file.h"

static const char *const kinds[] = {"smol", "qwen", "llama3"};
enum { KINDS = sizeof kinds / sizeof *kinds, TOKENS = 460 };

static Tokenizer *load(const char *kind) {
    char name[60];
    snprintf(name, sizeof name, "llama_bpe/%s.json", kind);
    return tokenizer_json_load(golden_path(name));
}

static void check_equal(const char *text, size_t n_bytes, const int *got, size_t n_got,
                        const cJSON *ids) {
    size_t i = 0;
    const cJSON *id;
    CHECK(n_got == (size_t)cJSON_GetArraySize(ids), "\"%.*s\": %zu ids, expected %d",
          (int)n_bytes, text, n_got, cJSON_GetArraySize(ids));
    cJSON_ArrayForEach(id, ids) {
        CHECK(got[i] == id->valueint, "\"%.*s\": id %zu is %d, expected %d",
              (int)n_bytes, text, i, got[i], id->valueint);
        i++;
    }
}

static void check_line(const Tokenizer *t, const char *line) {
    cJSON *json = cJSON_Parse(line);
    const cJSON *ids = cJSON_GetObjectItem(json, "ids");
    const char *hex = cJSON_GetStringValue(cJSON_GetObjectItem(json, "text_hex")),
               *decoded =
                   cJSON_GetStringValue(cJSON_GetObjectItem(json, "decoded_hex"));
    size_t n, n_ids, n_back, n_expected;
    char *text = golden_bytes(hex, &n),
         *expected = golden_bytes(decoded ? decoded : hex, &n_expected);
    int *got = tokenizer_encode(t, text, n, true, &n_ids);
    check_equal(text, n, got, n_ids, ids);
    char *back = tokenizer_decode(t, got, n_ids, &n_back);
    CHECK(n_back == n_expected && memcmp(back, expected, n_back) == 0,
          "\"%s\" is decoded as \"%s\"", text, back);
    free(text);
    free(expected);
    free(got);
    free(back);
    cJSON_Delete(json);
}

static void check_strings(const Tokenizer *t, const char *kind) {
    char name[60];
    snprintf(name, sizeof name, "llama_bpe/%s.jsonl", kind);
    size_t size, lines = 0;
    char *text = file_read(golden_path(name), &size);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
        check_line(t, line);
    CHECK(lines == 80, "%zu lines in %s", lines, name);
    free(text);
}

Test(llama_tokenizer, ids_of_three_families, .timeout = 30) {
    static const WordRule *const rules[] = {&smollm_words, &qwen2_words, &llama3_words};
    for (int i = 0; i < KINDS; i++) {
        Tokenizer *t = load(kinds[i]);
        CHECK(t->tokens.n == TOKENS && t->eot == 0 && t->bos == -1 && t->n_special == 3,
              "%s: %zu tokens, %zu special", kinds[i], t->tokens.n, t->n_special);
        CHECK(pretokenizer_rule(t->pretokenizer) == rules[i], "%s: cut by '%s'",
              kinds[i], pretokenizer_rule(t->pretokenizer)->name);
        check_strings(t, kinds[i]);
        tokenizer_free(t);
    }
}

/* --- GGUF --- */

Test(llama_tokenizer, there_and_back_through_gguf, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    char *path = path_join(directory, "t.gguf");
    for (int i = 0; i < KINDS; i++) {
        Tokenizer *t = load(kinds[i]);
        t->n_padding = 4;
        t->bos = i == 1 ? 1 : -1;
        GgufWriter *w = gguf_begin(path);
        gguf_put_tokenizer(w, t);
        gguf_commit(w);
        Tokenizer *back = llama_tokenizer_load(path, TOKENS + 4);
        CHECK(back->tokens.n == TOKENS && tokenizer_n_vocab(back) == TOKENS + 4 &&
                  back->eot == t->eot && back->bos == t->bos &&
                  back->n_special == t->n_special,
              "%s: %zu tokens of %zu ids, end %d, bos %d, %zu special", kinds[i],
              back->tokens.n, tokenizer_n_vocab(back), back->eot, back->bos,
              back->n_special);
        size_t n;
        tokenizer_token(back, TOKENS + 3, &n);
        CHECK(n == 0, "an id behind the tokens has %zu bytes", n);
        check_strings(back, kinds[i]);
        tokenizer_free(back);
        tokenizer_free(t);
    }
}

/* tokenizer.json written and read: the same ids, also through the model's loader. */
Test(llama_tokenizer, there_and_back_through_json, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    for (int i = 0; i < KINDS; i++) {
        Tokenizer *t = load(kinds[i]);
        t->bos = i == 1 ? 1 : -1;
        t->ignore_merges = i == 2;
        Directory *d = directory_open(directory);
        tokenizer_json_save(t, d);
        directory_close(d);
        Tokenizer *back = llama_tokenizer_load(directory, TOKENS);
        CHECK(back->tokens.n == TOKENS && back->eot == t->eot && back->bos == t->bos &&
                  back->n_special == t->n_special &&
                  back->ignore_merges == t->ignore_merges &&
                  back->normalize == t->normalize,
              "%s: %zu tokens, end %d, bos %d, %zu special", kinds[i], back->tokens.n,
              back->eot, back->bos, back->n_special);
        for (size_t s = 0; s < t->n_special; s++)
            CHECK(back->special[s].id == t->special[s].id &&
                      back->special[s].control == t->special[s].control,
                  "%s: special token %zu", kinds[i], s);
        char was[CHECKSUM_TEXT], is[CHECKSUM_TEXT];
        tokenizer_checksum(t, was);
        tokenizer_checksum(back, is);
        CHECK(strcmp(was, is) == 0, "%s: another vocabulary", kinds[i]);
        tokenizer_free(back);
        tokenizer_free(t);
    }
}

/* Bytes as tokens, which a training has without a vocabulary: quotes, backslashes and
 * control characters are tokens too. */
Test(llama_tokenizer, bytes_through_json, .timeout = 30, .init = scratch_begin,
     .fini = scratch_end) {
    Tokenizer *t = tokenizer_bytes();
    Directory *d = directory_open(directory);
    tokenizer_json_save(t, d);
    directory_close(d);
    Tokenizer *back = llama_tokenizer_load(directory, TOKENIZER_MIN_VOCAB);
    char was[CHECKSUM_TEXT], is[CHECKSUM_TEXT];
    tokenizer_checksum(t, was);
    tokenizer_checksum(back, is);
    CHECK(strcmp(was, is) == 0, "another vocabulary");
    CHECK(back->eot == 256 && back->n_special == 1, "end %d, %zu special", back->eot,
          back->n_special);
    tokenizer_free(back);
    back = model_tokenizer(NULL, directory, 300); /* GPT-2's programs read it, too */
    tokenizer_checksum(back, is);
    CHECK(back->tokens.n == 257 && tokenizer_n_vocab(back) == 300, "a padded table");
    tokenizer_free(back);
    tokenizer_free(t);
}

/* --- chats --- */

static void check_chat(const Tokenizer *t, const char *expected, size_t n_special) {
    static const ChatMessage messages[] = {{"system", "Be brief."},
                                           {"user", "1 <|im_end|><|eot_id|>"},
                                           {"assistant", "Two."}};
    size_t n, bytes, found = 0;
    int *ids = chat_encode(t, messages, 3, &n);
    char *text = tokenizer_decode(t, ids, n, &bytes);
    CHECK(strcmp(text, expected) == 0, "got \"%s\", expected \"%s\"", text, expected);
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < t->n_special; s++) found += ids[i] == t->special[s].id;
    CHECK(found == n_special,
          "%zu special tokens, expected %zu: what a message spells is none", found,
          n_special);
    free(ids);
    free(text);
}

Test(llama_tokenizer, chatml, .timeout = 10) {
    Tokenizer *t = load("smol");
    check_chat(t,
               "<|im_start|>system\nBe brief.<|im_end|>\n"
               "<|im_start|>user\n1 <|im_end|><|eot_id|><|im_end|>\n"
               "<|im_start|>assistant\nTwo.<|im_end|>\n<|im_start|>assistant\n",
               7);
    CHECK(chat_end(t) == 2, "a reply ends with token %d", chat_end(t));
}

/* Llama 3's special tokens in the place of ChatML's. */
static Tokenizer *llama3_chat(void) {
    static const char *const names[] = {"<|begin_of_text|>", "<|start_header_id|>",
                                        "<|end_header_id|>", "<|eot_id|>"};
    Tokenizer *t = load("llama3");
    t->n_special = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t id = string_table_add(&t->tokens, names[i], strlen(names[i]));
        tokenizer_add_special(t, (int)id, true);
    }
    t->bos = t->special[0].id;
    return t;
}

Test(llama_tokenizer, llama3_headers, .timeout = 10) {
    Tokenizer *t = llama3_chat();
    check_chat(t,
               "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n"
               "Be brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n"
               "1 <|im_end|><|eot_id|><|eot_id|>"
               "<|start_header_id|>assistant<|end_header_id|>\n\nTwo.<|eot_id|>"
               "<|start_header_id|>assistant<|end_header_id|>\n\n",
               12);
    CHECK(chat_end(t) == TOKENS + 3, "a reply ends with token %d", chat_end(t));
}

static void chat_without_template(void *unused) {
    (void)unused;
    size_t n;
    chat_encode(tokenizer_bytes(), NULL, 0, &n);
}

static void chat_of_a_stranger(void *unused) {
    (void)unused;
    size_t n;
    chat_encode(load("qwen"), &(ChatMessage){"tool", "42"}, 1, &n);
}

Test(llama_tokenizer, chats_that_are_refused, .timeout = 10) {
    expect_exit(EXIT_INPUT, "no chat template that is known", chat_without_template,
                NULL);
    expect_exit(EXIT_INPUT, "role 'tool': expected", chat_of_a_stranger, NULL);
    CHECK(chat_end(tokenizer_bytes()) == -1, "there is no template");
}

/* --- other spellings, and what is refused --- */

static void check_ids(const Tokenizer *t, const char *text, size_t n_expected,
                      int first, const char *what) {
    size_t n;
    int *ids = tokenizer_encode(t, text, strlen(text), true, &n);
    CHECK(n == n_expected && ids[0] == first, "%s: \"%s\" has %zu ids, the first is %d",
          what, text, n, ids[0]);
    free(ids);
}

Test(llama_tokenizer, other_spellings, .timeout = 20, .init = scratch_begin,
     .fini = scratch_end) {
    char *path = write_changed("smol", "[\"h\",\"e\"]", "\"h e\"");
    check_strings(llama_tokenizer_load(directory, TOKENS), "smol");

    write_changed("llama3", "\"post_processor\":null",
                  "\"post_processor\":{\"type\":\"Sequence\",\"processors\":[{\"type\":"
                  "\"ByteLevel\"},{\"type\":\"TemplateProcessing\",\"single\":[{"
                  "\"SpecialToken\":{\"id\":\"<|im_start|>\",\"type_id\":0}},{"
                  "\"Sequence\":{\"id\":\"A\",\"type_id\":0}}]}]}");
    CHECK(tokenizer_json_load(path)->bos == 1, "a token in front of every text");

    Tokenizer *t = load("llama3"); /* made by no merge, but a token */
    int id = (int)string_table_add(&t->tokens, "qqqq", 4);
    check_ids(t, "qqqq", 4, t->byte_token['q'], "merged");
    t->ignore_merges = true;
    check_ids(t, "qqqq", 1, id, "a word that is a token");

    write_changed(
        "smol", "{\"id\":2,\"content\":\"<|im_end|>\"",
        "{\"id\":460,\"content\":\"<|im_start|>!\",\"special\":false},{\"id\":2,"
        "\"content\":\"<|im_end|>\"");
    check_ids(tokenizer_json_load(path), "<|im_start|>!", 1, 460,
              "the longest special");
}

/* SmolLM2 has no token for some control characters. */
Test(llama_tokenizer, bytes_without_a_token, .timeout = 10, .init = scratch_begin,
     .fini = scratch_end) {
    char *path = write_changed("smol", "\"q\":", "\"qqqqq\":");
    check_ids(tokenizer_json_load(path), "qhe", 1, load("smol")->merges.items[1].merged,
              "what has no token is left out, and its neighbours merge");
}

typedef struct {
    const char *kind, *piece, *by;
} Change;

static void load_changed(void *argument) {
    const Change *c = argument;
    tokenizer_json_load(write_changed(c->kind, c->piece, c->by));
}

static void check_refused(const char *piece, const char *by, const char *message) {
    expect_exit(EXIT_INPUT, message, load_changed, &(Change){"qwen", piece, by});
}

Test(llama_tokenizer, refused, .timeout = 60, .init = scratch_begin,
     .fini = scratch_end) {
    check_refused("\"type\":\"NFC\"", "\"type\":\"Lowercase\"",
                  "normalizer: Lowercase; known here: NFC");
    check_refused("|\\\\p{N}|", "|\\\\p{N}{1,2}|", "pre_tokenizer: Split: (?i:'s");
    check_refused("\"Isolated\"", "\"Removed\"", "pre_tokenizer: Split; known here");
    check_refused("\"add_prefix_space\":false", "\"add_prefix_space\":true",
                  "pre_tokenizer: ByteLevel; known here");
    check_refused("\"type\":\"BPE\"", "\"type\":\"Unigram\"", "model: Unigram; known");
    check_refused("\"byte_fallback\":false", "\"byte_fallback\":true", "byte_fallback");
    check_refused("\"unk_token\":null", "\"unk_token\":\"<unk>\"", "unk_token: <unk>");
    check_refused("\"lstrip\":false", "\"lstrip\":true", "<|endoftext|>: lstrip");
    check_refused("\"normalized\":false", "\"normalized\":true",
                  "<|endoftext|>: normalized");
    check_refused("\"post_processor\":null", "\"post_processor\":{\"type\":\"Bert\"}",
                  "post_processor: Bert");
    check_refused("[\"h\",\"e\"]", "[\"h\"]", "merge 2: expected");
    check_refused("[\"h\",\"e\"]", "[\"h\",\"zzz\"]", "merge 2: 'h zzz' is not in");
    check_refused("\"vocab\":", "\"words\":", "model: has no vocab");
    check_refused("{\"id\":2,", "{\"id\":2000000000,", "has no id from 0 to");
    check_refused("{\"id\":2,", "{\"id\":461,", "id 460 has no token");
}

static void too_many_tokens(void *unused) {
    (void)unused;
    write_changed("smol", "null", "null");
    llama_tokenizer_load(directory, TOKENS - 1);
}

Test(llama_tokenizer, a_model_with_fewer_rows, .timeout = 10, .init = scratch_begin,
     .fini = scratch_end) {
    expect_exit(EXIT_INPUT, "the tokenizer has 460 tokens, the model 459",
                too_many_tokens, NULL);
}

/* --- Qwen3's own --- */

/* cJSON ends a string at a NUL: it stands as U+F8FF there, and is put back here. */
static size_t put_nul_back(char *text) {
    size_t n = 0;
    for (const char *from = text; *from; n++) {
        bool nul = strncmp(from, "\xef\xa3\xbf", 3) == 0;
        text[n] = nul ? 0 : *from;
        from += nul ? 3 : 1;
    }
    return n;
}

Test(llama_tokenizer, qwen3, .timeout = 60) {
    const char *qwen = getenv("QWEN_BPE");
    if (!qwen) {
        printf("SKIPPED: Qwen3's tokenizer is not there (QWEN_BPE=DIRECTORY)\n");
        return;
    }
    size_t size, lines = 0, n;
    Tokenizer *t = llama_tokenizer_load(qwen, 151936);
    CHECK(t->tokens.n == 151669 && t->eot == 151643 && chat_end(t) == 151645,
          "%zu tokens, end %d", t->tokens.n, t->eot);
    char *text = file_read(path_join(qwen, "strings.jsonl"), &size);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        for (char *nul = line; (nul = strstr(nul, "\\u0000"));)
            memcpy(nul, "\\uf8ff", 6);
        cJSON *json = cJSON_Parse(line);
        char *string = cJSON_GetObjectItem(json, "text")->valuestring;
        size_t bytes = put_nul_back(string);
        int *ids = tokenizer_encode(t, string, bytes, true, &n);
        check_equal(string, bytes, ids, n, cJSON_GetObjectItem(json, "ids"));
        free(ids);
        cJSON_Delete(json);
    }
    CHECK(lines >= 600, "%zu strings", lines);
}
