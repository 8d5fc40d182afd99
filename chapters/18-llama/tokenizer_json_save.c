/* Writing Hugging Face's tokenizer.json: see llama_tokenizer.h. */
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/vocabulary.h"
#include "18-llama/llama_tokenizer.h"
#include "18-llama/llama_words.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "files/json.h"

static void add_text(cJSON *object, const char *key, const char *text) {
    cJSON_AddStringToObject(object, key, text);
}

static cJSON *object_of_type(const char *type) {
    cJSON *object = cJSON_CreateObject();
    add_text(object, "type", type);
    return object;
}

/* A special token as it is spelled, in new memory. */
static char *spelled(const Tokenizer *t, int id) {
    size_t n;
    const char *bytes = tokenizer_token(t, id, &n);
    char *text = checked_alloc(n + 1, 1);
    memcpy(text, bytes, n);
    if (strlen(text) != n)
        die("token %d: '%s' ends with a NUL in its middle, which no JSON file holds",
            id, printable(text, 200).text);
    return text;
}

/* A token in GPT-2's letters, in new memory, with room for `more` bytes behind it. */
static char *letters_of(const Tokenizer *t, int id, size_t more) {
    size_t n;
    tokenizer_token(t, id, &n);
    char *letters = checked_alloc(2 * n + more + 1, 1);
    vocabulary_letters(letters, t, id);
    return letters;
}

/* --- how a text is cut --- */

static cJSON *byte_level(bool use_regex) {
    cJSON *part = object_of_type("ByteLevel");
    cJSON_AddBoolToObject(part, "add_prefix_space", false);
    cJSON_AddBoolToObject(part, "trim_offsets", true);
    cJSON_AddBoolToObject(part, "use_regex", use_regex);
    return part;
}

static cJSON *split_by(const char *regex) {
    cJSON *part = object_of_type("Split");
    add_text(cJSON_AddObjectToObject(part, "pattern"), "Regex", regex);
    add_text(part, "behavior", "Isolated");
    cJSON_AddBoolToObject(part, "invert", false);
    return part;
}

static cJSON *pre_tokenizer(const WordRule *rule) {
    if (rule == &gpt2_words) return byte_level(true);
    cJSON *part = object_of_type("Sequence"),
          *steps = cJSON_AddArrayToObject(part, "pretokenizers");
    bool digits = rule == &smollm_words;
    if (digits) {
        cJSON *first = object_of_type("Digits");
        cJSON_AddBoolToObject(first, "individual_digits", true);
        cJSON_AddItemToArray(steps, first);
    } else {
        cJSON_AddItemToArray(steps, split_by(rule->pattern));
    }
    cJSON_AddItemToArray(steps, byte_level(digits));
    return part;
}

/* --- what stands around a text --- */

static void add_step(cJSON *steps, const char *kind, const char *id, int type) {
    cJSON *step = cJSON_CreateObject(), *what = cJSON_AddObjectToObject(step, kind);
    add_text(what, "id", id);
    cJSON_AddNumberToObject(what, "type_id", type);
    cJSON_AddItemToArray(steps, step);
}

/* One token in front of every text. */
static cJSON *post_processor(const Tokenizer *t) {
    if (t->bos < 0) return cJSON_CreateNull();
    char *bos = spelled(t, t->bos);
    cJSON *part = object_of_type("TemplateProcessing"),
          *single = cJSON_AddArrayToObject(part, "single"),
          *pair = cJSON_AddArrayToObject(part, "pair");
    add_step(single, "SpecialToken", bos, 0);
    add_step(single, "Sequence", "A", 0);
    add_step(pair, "SpecialToken", bos, 0);
    add_step(pair, "Sequence", "A", 0);
    add_step(pair, "SpecialToken", bos, 1);
    add_step(pair, "Sequence", "B", 1);
    cJSON *tokens = cJSON_AddObjectToObject(part, "special_tokens"),
          *token = cJSON_AddObjectToObject(tokens, bos);
    add_text(token, "id", bos);
    cJSON_AddItemToObject(token, "ids", cJSON_CreateIntArray(&t->bos, 1));
    const char *text = bos;
    cJSON_AddItemToObject(token, "tokens", cJSON_CreateStringArray(&text, 1));
    free(bos);
    return part;
}

static cJSON *added_tokens(const Tokenizer *t) {
    static const char *const flags[] = {"single_word", "lstrip", "rstrip",
                                        "normalized"};
    cJSON *all = cJSON_CreateArray();
    for (size_t i = 0; i < t->n_special; i++) {
        cJSON *token = cJSON_CreateObject();
        char *content = spelled(t, t->special[i].id);
        cJSON_AddNumberToObject(token, "id", t->special[i].id);
        add_text(token, "content", content);
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
            cJSON_AddBoolToObject(token, flags[k], false);
        cJSON_AddBoolToObject(token, "special", t->special[i].control);
        cJSON_AddItemToArray(all, token);
        free(content);
    }
    return all;
}

/* --- the vocabulary --- */

static bool *mark_special(const Tokenizer *t) {
    bool *is_special = checked_alloc(t->tokens.n, sizeof *is_special);
    for (size_t i = 0; i < t->n_special; i++) is_special[t->special[i].id] = true;
    return is_special;
}

static cJSON *vocabulary_of(const Tokenizer *t) {
    cJSON *vocab = cJSON_CreateObject();
    bool *is_special = mark_special(t);
    for (size_t id = 0; id < t->tokens.n; id++) {
        char *text = is_special[id] ? spelled(t, (int)id) : letters_of(t, (int)id, 0);
        cJSON_AddNumberToObject(vocab, text, (double)id);
        free(text);
    }
    free(is_special);
    return vocab;
}

static cJSON *merges_of(const Tokenizer *t) {
    cJSON *merges = cJSON_CreateArray();
    for (size_t i = 0; i < t->merges.n; i++) {
        const Merge *m = &t->merges.items[i];
        char *right = letters_of(t, m->right, 0),
             *text = letters_of(t, m->left, 1 + strlen(right));
        strcat(text, " ");
        strcat(text, right);
        cJSON_AddItemToArray(merges, cJSON_CreateString(text));
        free(text);
        free(right);
    }
    return merges;
}

static cJSON *model_of(const Tokenizer *t) {
    static const char *const none[] = {
        "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"};
    cJSON *model = object_of_type("BPE");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        cJSON_AddNullToObject(model, none[i]);
    cJSON_AddBoolToObject(model, "fuse_unk", false);
    cJSON_AddBoolToObject(model, "byte_fallback", false);
    cJSON_AddBoolToObject(model, "ignore_merges", t->ignore_merges);
    cJSON_AddItemToObject(model, "vocab", vocabulary_of(t));
    cJSON_AddItemToObject(model, "merges", merges_of(t));
    return model;
}

/* --- the two files --- */

static cJSON *tokenizer_of(const Tokenizer *t) {
    cJSON *root = cJSON_CreateObject();
    add_text(root, "version", "1.0");
    cJSON_AddNullToObject(root, "truncation");
    cJSON_AddNullToObject(root, "padding");
    cJSON_AddItemToObject(root, "added_tokens", added_tokens(t));
    cJSON_AddItemToObject(root, "normalizer",
                          t->normalize ? object_of_type("NFC") : cJSON_CreateNull());
    cJSON_AddItemToObject(root, "pre_tokenizer",
                          pre_tokenizer(pretokenizer_rule(t->pretokenizer)));
    cJSON_AddItemToObject(root, "post_processor", post_processor(t));
    cJSON_AddItemToObject(root, "decoder", byte_level(true));
    cJSON_AddItemToObject(root, "model", model_of(t));
    return root;
}

/* Without this file transformers chooses by the model's name, and Llama's first
 * tokenizer was none of byte-level BPE. */
static cJSON *class_of(const Tokenizer *t) {
    static const char *const keys[] = {"bos_token", "eos_token", "pad_token"};
    const int ids[] = {t->begin >= 0 ? t->begin : t->bos, tokenizer_end(t), t->pad};
    cJSON *root = cJSON_CreateObject();
    add_text(root, "tokenizer_class", "PreTrainedTokenizerFast");
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        if (ids[i] < 0) continue;
        char *token = spelled(t, ids[i]);
        add_text(root, keys[i], token);
        free(token);
    }
    if (t->prefix_space) cJSON_AddTrueToObject(root, "add_prefix_space");
    if (t->chat_template) add_text(root, "chat_template", t->chat_template);
    return root;
}

void tokenizer_json_save(const Tokenizer *t, Directory *directory) {
    json_print(tokenizer_of(t), directory_add(directory, "tokenizer.json"));
    json_print(class_of(t), directory_add(directory, "tokenizer_config.json"));
}
