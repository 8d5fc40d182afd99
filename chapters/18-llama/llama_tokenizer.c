/* The tokenizer beside or in a model: see llama_tokenizer.h. */
#include "18-llama/llama_tokenizer.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "09-tokenizer/vocabulary.h"
#include "10-gpt2/ends.h"
#include "10-gpt2/gguf_tokenizer.h"
#include "10-gpt2/tokenizer_json.h"
#include "18-llama/llama_words.h"
#include "18-llama/nfc.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "files/file.h"
#include "files/json.h"

static const WordRule *const rules[] = {&gpt2_words, &smollm_words, &qwen2_words,
                                        &llama3_words};
enum { N_RULES = sizeof rules / sizeof *rules };

/* In new memory; NULL where it is none that a JSON file could have. */
static char *copy_of(const char *text, size_t n) {
    int length;
    if (n == 0) return NULL;
    for (size_t at = 0; at < n; at += (size_t)length) {
        length = utf8_length(text + at, n - at);
        if (length < 1 || text[at] == 0) return NULL;
    }
    char *copy = checked_alloc(n + 1, 1);
    memcpy(copy, text, n);
    return copy;
}

/* A GGUF file names its rule of words, which tokenizer.json spells out. */
static Tokenizer *load_gguf(const char *path) {
    Gguf *file = gguf_open(path);
    Tokenizer *t = gguf_tokenizer(file, rules, N_RULES);
    if (t) {
        const WordRule *rule = pretokenizer_rule(t->pretokenizer);
        if (rule == &qwen2_words) t->normalize = nfc;
        t->ignore_merges = rule == &llama3_words;
        GgufText chat = gguf_text(file, "tokenizer.chat_template");
        t->chat_template = copy_of(chat.text, chat.bytes);
    }
    gguf_close(file);
    return t;
}

/* Where transformers puts it: a key of tokenizer_config.json, or, in newer directories,
 * a file of its own. A list of templates by name is left out. */
static char *load_template(const char *directory) {
    char *config = path_join(directory, "tokenizer_config.json"),
         *jinja = path_join(directory, "chat_template.jinja"), *chat = NULL;
    if (access(config, F_OK) == 0) {
        cJSON *root = json_read_object(config);
        const char *text = cJSON_GetStringValue(
            cJSON_GetObjectItemCaseSensitive(root, "chat_template"));
        if (text) chat = copy_of(text, strlen(text));
        cJSON_Delete(root);
    }
    if (!chat && access(jinja, F_OK) == 0) {
        size_t bytes;
        char *text = file_read(jinja, &bytes);
        chat = copy_of(text, bytes);
        free(text);
    }
    free(config);
    free(jinja);
    return chat;
}

Tokenizer *tokenizer_json_load(const char *path) {
    return tokenizer_json_read(path, rules, N_RULES, nfc);
}

/* The text of a key of a JSON file of the directory, in new memory, or NULL. */
static char *text_of(const char *directory, const char *name, const char *key) {
    char *path = path_join(directory, name), *copy = NULL;
    if (access(path, F_OK) == 0) {
        cJSON *root = json_read_object(path);
        const char *text =
            cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, key));
        if (text) copy = checked_strdup(text);
        cJSON_Delete(root);
    }
    free(path);
    return copy;
}

/* vocab.json and merges.txt do not say how a text is cut into words: the name of the
 * tokenizer's class does, or that of the model. Qwen2's cuts as Qwen2's. */
static Tokenizer *load_two_files(const char *directory) {
    char *name = text_of(directory, "tokenizer_config.json", "tokenizer_class");
    if (!name) name = text_of(directory, "config.json", "model_type");
    Tokenizer *t = NULL;
    if (name && strncmp(name, "Qwen2", 5) == 0) *name = 'q';
    if (name && strncmp(name, "qwen2", 5) == 0) {
        t = vocabulary_load(directory, &qwen2_words);
        t->normalize = nfc;
    } else if (name && strncmp(name, "GPT2", 4) == 0) {
        t = tokenizer_load(directory);
    } else {
        die("directory '%s': has no tokenizer.json, and vocab.json does not say which "
            "rule cuts a text into words: that of '%s' is not guessed",
            directory, name ? name : "no model");
    }
    free(name);
    return t;
}

static Tokenizer *load_directory(const char *directory) {
    directory_finish(directory);
    char *json = path_join(directory, "tokenizer.json"),
         *vocab = path_join(directory, "vocab.json");
    Tokenizer *t = NULL;
    if (access(json, F_OK) == 0)
        t = tokenizer_json_load(json);
    else if (access(vocab, F_OK) == 0)
        t = load_two_files(directory);
    if (t) {
        read_ends(t, directory);
        t->chat_template = load_template(directory);
    }
    free(json);
    free(vocab);
    return t;
}

Tokenizer *llama_tokenizer_load(const char *path, size_t n_vocab) {
    Tokenizer *t = gguf_is_file(path) ? load_gguf(path) : load_directory(path);
    if (!t) return NULL;
    if (t->tokens.n > n_vocab)
        die("'%s': the tokenizer has %zu tokens, the model %zu", path, t->tokens.n,
            n_vocab);
    t->n_padding = n_vocab - t->tokens.n;
    return t;
}
