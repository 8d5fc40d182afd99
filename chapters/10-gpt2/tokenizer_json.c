/* Hugging Face's tokenizer.json: see tokenizer_json.h. The file can describe any
 * pipeline; the ones that are read here are byte-level BPE. Never guess: what a part
 * does not say in these words is refused, since a tokenizer that is nearly right gives
 * ids that are nearly right. */
#include "10-gpt2/tokenizer_json.h"

#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/vocabulary.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/unicode.h"
#include "files/json.h"

typedef struct {
    const char *path;
    const cJSON *root;
    const WordRule *const *rules;
    size_t n_rules;
} Source;

static _Noreturn void refuse(const Source *s, const char *part, const char *is,
                             const char *expected) {
    die("file '%s': %s: %s; known here: %s", s->path, part, printable(is, 200).text,
        expected);
}

/* The object or array of that name, or NULL where it is absent or null. */
static const cJSON *part_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNull(item) ? NULL : item;
}

static const char *type_of(const Source *s, const cJSON *part) {
    return json_text(part, s->path, "type", "no type");
}

static bool has_type(const Source *s, const cJSON *part, const char *type) {
    return strcmp(type_of(s, part), type) == 0;
}

/* --- how a text is cut --- */

static bool is_byte_level(const Source *s, const cJSON *part, bool use_regex) {
    return has_type(s, part, "ByteLevel") &&
           json_bool(part, s->path, "use_regex", true) == use_regex &&
           !json_bool(part, s->path, "add_prefix_space", true);
}

/* GPT-2's rule for a text that gets a blank in front. */
static bool adds_blank(const Source *s, const cJSON *part) {
    return has_type(s, part, "ByteLevel") &&
           json_bool(part, s->path, "use_regex", true) &&
           json_bool(part, s->path, "add_prefix_space", true);
}

static bool is_digits(const Source *s, const cJSON *part) {
    return has_type(s, part, "Digits") &&
           json_bool(part, s->path, "individual_digits", false);
}

/* The rule whose pattern a Split has, or NULL. */
static const WordRule *split_rule(const Source *s, const cJSON *part) {
    if (!has_type(s, part, "Split") || json_bool(part, s->path, "invert", false) ||
        strcmp(json_text(part, s->path, "behavior", ""), "Isolated") != 0)
        return NULL;
    const cJSON *pattern = part_of(part, "pattern");
    const char *regex = json_text(pattern, s->path, "Regex", "");
    for (size_t i = 0; i < s->n_rules; i++) {
        if (strcmp(s->rules[i]->pattern, regex) == 0) return s->rules[i];
    }
    refuse(s, "pre_tokenizer: Split", regex,
           s->n_rules > 1 ? "the patterns of GPT-2, Qwen2 and Llama 3" : "GPT-2's");
}

/* The rule of a SmolLM: NULL where it is not among those that are known. */
static const WordRule *digits_rule(const Source *s) {
    for (size_t i = 0; i < s->n_rules; i++) {
        if (strcmp(s->rules[i]->name, "smollm") == 0) return s->rules[i];
    }
    return NULL;
}

static const WordRule *read_rule(const Source *s) {
    static const char known[] = "ByteLevel; Digits (individual_digits) and ByteLevel; "
                                "Split (Isolated) and ByteLevel without use_regex; no "
                                "add_prefix_space";
    const cJSON *part = part_of(s->root, "pre_tokenizer");
    if (!part) refuse(s, "pre_tokenizer", "none", known);
    if (is_byte_level(s, part, true) || adds_blank(s, part)) return &gpt2_words;
    const cJSON *steps = part_of(part, "pretokenizers");
    if (!has_type(s, part, "Sequence") || cJSON_GetArraySize(steps) != 2)
        refuse(s, "pre_tokenizer", type_of(s, part), known);
    const cJSON *first = steps->child, *second = first->next;
    const WordRule *rule;
    bool digits = is_digits(s, first) && is_byte_level(s, second, true);
    if (digits)
        rule = digits_rule(s);
    else
        rule = split_rule(s, first);
    if (!rule) refuse(s, "pre_tokenizer", type_of(s, first), known);
    if (!digits && !is_byte_level(s, second, false))
        refuse(s, "pre_tokenizer", type_of(s, second), known);
    return rule;
}

static void read_normalizer(const Source *s, Tokenizer *t,
                            char *(*nfc)(const char *, size_t, size_t *)) {
    const cJSON *part = part_of(s->root, "normalizer");
    if (!part) return;
    if (!nfc || !has_type(s, part, "NFC"))
        refuse(s, "normalizer", type_of(s, part), nfc ? "NFC" : "none");
    t->normalize = nfc;
}

/* --- what stands around a text --- */

static int token_id(const Source *s, const Tokenizer *t, const char *token) {
    size_t id = string_table_find(&t->tokens, token, strlen(token));
    if (id == STRING_NOT_FOUND)
        refuse(s, "post_processor", token, "tokens of the vocabulary");
    return (int)id;
}

/* The id of a template's token: special_tokens says it, which may be another than the
 * vocabulary's. */
static int template_id(const Source *s, const Tokenizer *t, const cJSON *part,
                       const char *token) {
    const cJSON *ids = part_of(part_of(part_of(part, "special_tokens"), token), "ids"),
                *id = ids ? ids->child : NULL;
    if (!ids) return token_id(s, t, token);
    double number = cJSON_IsNumber(id) && !id->next ? id->valuedouble : -1;
    if (!(number >= 0 && number < (double)t->tokens.n) ||
        number != (double)(size_t)number)
        refuse(s, "post_processor: ids of", token, "one id of the vocabulary");
    return (int)number;
}

/* "single": at most one token, then the text. */
static void read_template(const Source *s, Tokenizer *t, const cJSON *part) {
    static const char known[] = "one special token in front of the text";
    const cJSON *item = part_of(part, "single");
    item = item ? item->child : NULL;
    const cJSON *token = part_of(item, "SpecialToken");
    if (token) {
        t->bos = template_id(s, t, part, json_text(token, s->path, "id", ""));
        item = item->next;
    }
    if (!part_of(item, "Sequence") || item->next)
        refuse(s, "post_processor", "TemplateProcessing", known);
}

static void read_post_processor(const Source *s, Tokenizer *t, const cJSON *part) {
    if (!part || has_type(s, part, "ByteLevel")) return;
    if (has_type(s, part, "TemplateProcessing")) {
        read_template(s, t, part);
        return;
    }
    const cJSON *step, *steps = part_of(part, "processors");
    if (!has_type(s, part, "Sequence") || !steps)
        refuse(s, "post_processor", type_of(s, part), "ByteLevel, TemplateProcessing");
    cJSON_ArrayForEach(step, steps) {
        if (has_type(s, step, "Sequence"))
            refuse(s, "post_processor", "Sequence in a Sequence", "one Sequence");
        read_post_processor(s, t, step);
    }
}

/* --- the vocabulary --- */

/* A token: an entry of the vocabulary, in GPT-2's letters, or an added one. */
typedef struct {
    const char *text;
    const cJSON *added;
} Entry;

/* Sets the entry of `id`. An id above the number of tokens is refused. */
static void set_entry(const Source *s, Entry *entries, size_t n, const cJSON *id,
                      Entry entry) {
    double number = cJSON_IsNumber(id) ? id->valuedouble : -1;
    if (!(number >= 0 && number < (double)n) || number != (double)(size_t)number)
        die("file '%s': token '%s' has no id from 0 to %zu", s->path, entry.text,
            n - 1);
    Entry *there = &entries[(size_t)number];
    if (there->text && (!entry.added || there->added))
        die("file '%s': id %.0f stands there twice", s->path, number);
    *there = entry;
}

static void expect_plain(const Source *s, const cJSON *added) {
    static const char *const flags[] = {"single_word", "lstrip", "rstrip"};
    const char *content = json_text(added, s->path, "content", "");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (json_bool(added, s->path, flags[i], false))
            refuse(s, content, flags[i], "added tokens without it");
    }
    if (json_bool(added, s->path, "normalized", false) &&
        part_of(s->root, "normalizer"))
        refuse(s, content, "normalized", "added tokens that are not");
    if (!*content) die("file '%s': added_tokens: one has no \"content\"", s->path);
}

/* All tokens by id: those of the vocabulary, and added ones, which may be among
 * them. */
static Entry *read_entries(const Source *s, const cJSON *vocab, size_t *n) {
    const cJSON *item, *added = part_of(s->root, "added_tokens");
    size_t most = 1, last = 0;
    cJSON_ArrayForEach(item, vocab) most++;
    cJSON_ArrayForEach(item, added) most++;
    Entry *entries = checked_alloc(most, sizeof *entries);
    cJSON_ArrayForEach(item, vocab)
        set_entry(s, entries, most, item, (Entry){item->string, NULL});
    cJSON_ArrayForEach(item, added) {
        expect_plain(s, item);
        const char *content = json_text(item, s->path, "content", "");
        set_entry(s, entries, most, part_of(item, "id"), (Entry){content, item});
    }
    for (size_t id = 0; id < most; id++)
        if (entries[id].text) last = id;
    *n = last + 1;
    return entries;
}

static void read_tokens(const Source *s, Vocabulary *v, const cJSON *model) {
    const cJSON *vocab = part_of(model, "vocab");
    if (!cJSON_IsObject(vocab)) die("file '%s': model: has no vocab", s->path);
    size_t n;
    Entry *entries = read_entries(s, vocab, &n);
    for (size_t id = 0; id < n; id++) {
        const Entry *e = &entries[id];
        if (!e->text) die("file '%s': id %zu has no token", s->path, id);
        if (e->added)
            vocabulary_add_special(v, e->text, strlen(e->text),
                                   json_bool(e->added, s->path, "special", false));
        else
            vocabulary_add_token(v, e->text, strlen(e->text));
    }
    free(entries);
}

/* A merge is "a b" or ["a", "b"]. */
static void read_merge(const Source *s, Vocabulary *v, const cJSON *merge, size_t i) {
    if (cJSON_IsString(merge)) {
        vocabulary_add_merge(v, "merge", i, merge->valuestring,
                             strlen(merge->valuestring));
        return;
    }
    const char *left = cJSON_GetStringValue(cJSON_GetArrayItem(merge, 0)),
               *right = cJSON_GetStringValue(cJSON_GetArrayItem(merge, 1));
    if (!left || !right || cJSON_GetArraySize(merge) != 2)
        die("file '%s': merge %zu: expected \"a b\" or [\"a\", \"b\"]", s->path, i);
    size_t n_left = strlen(left), n = n_left + 1 + strlen(right);
    char *text = checked_alloc(n + 1, 1);
    memcpy(text, left, n_left);
    text[n_left] = ' ';
    memcpy(text + n_left + 1, right, n - n_left - 1);
    vocabulary_add_merge(v, "merge", i, text, n);
    free(text);
}

/* Refuses settings that no published model of these families has. */
static void expect_plain_model(const Source *s, const cJSON *model) {
    static const char *const texts[] = {"continuing_subword_prefix",
                                        "end_of_word_suffix", "unk_token"};
    if (!model || strcmp(json_text(model, s->path, "type", "BPE"), "BPE") != 0)
        refuse(s, "model", model ? type_of(s, model) : "none", "BPE");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!part_of(model, texts[i])) continue;
        const char *text = json_text(model, s->path, texts[i], "");
        if (*text) refuse(s, texts[i], text, "none");
    }
    if (json_bool(model, s->path, "byte_fallback", false))
        refuse(s, "byte_fallback", "true", "byte-level BPE without it");
    if (part_of(model, "dropout") &&
        json_number(model, s->path, "dropout", 0, 0, 1) > 0)
        refuse(s, "dropout", "not 0", "0");
    const cJSON *decoder = part_of(s->root, "decoder");
    if (decoder && !has_type(s, decoder, "ByteLevel"))
        refuse(s, "decoder", type_of(s, decoder), "ByteLevel");
}

Tokenizer *tokenizer_json_read(const char *path, const WordRule *const *rules, size_t n,
                               char *(*nfc)(const char *, size_t, size_t *)) {
    cJSON *root = json_read_object(path);
    const Source s = {path, root, rules, n};
    const cJSON *model = part_of(root, "model"), *merge;
    expect_plain_model(&s, model);
    const WordRule *rule = read_rule(&s);
    Vocabulary v = vocabulary_begin(path);
    v.loose = true;
    read_tokens(&s, &v, model);
    vocabulary_end_tokens(&v, path);
    size_t i = 0;
    cJSON_ArrayForEach(merge, part_of(model, "merges")) read_merge(&s, &v, merge, ++i);
    Tokenizer *t = vocabulary_end(&v, rule);
    t->ignore_merges = json_bool(model, path, "ignore_merges", false);
    t->prefix_space = adds_blank(&s, part_of(root, "pre_tokenizer"));
    read_normalizer(&s, t, nfc);
    read_post_processor(&s, t, part_of(root, "post_processor"));
    cJSON_Delete(root);
    return t;
}
