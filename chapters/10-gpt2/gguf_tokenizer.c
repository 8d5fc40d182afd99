/* Tokenizers in GGUF files: see gguf_tokenizer.h. */
#include "10-gpt2/gguf_tokenizer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/vocabulary.h"
#include "base/error.h"
#include "base/memory.h"

/* llama.cpp's types of tokens. */
enum { NORMAL = 1, UNKNOWN, CONTROL, USER_DEFINED, UNUSED };

/* --- reading --- */

/* A rule's own name, or one that llama.cpp has for it too. */
static bool is_named(const WordRule *rule, GgufText name) {
    static const char *const others[][2] = {
        {"gpt-2", "phi-2"},       {"smollm", "starcoder"},
        {"smollm", "refact"},     {"smollm", "command-r"},
        {"smollm", "codeshell"},  {"qwen2", "deepseek-r1-qwen"},
        {"llama-bpe", "llama3"},  {"llama-bpe", "llama-v3"},
        {"llama-bpe", "falcon3"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(rule->name, others[i][0]) == 0 && gguf_text_is(name, others[i][1]))
            return true;
    }
    return gguf_text_is(name, rule->name);
}

static const WordRule *find_rule(const Gguf *file, const WordRule *const *rules,
                                 size_t n_rules) {
    GgufText name = gguf_text(file, "tokenizer.ggml.pre");
    GgufText architecture = gguf_text(file, "general.architecture");
    if (!name.text && architecture.text && !gguf_text_is(architecture, "gpt2"))
        die("file '%s': key 'tokenizer.ggml.pre' is missing: which rule cuts a text "
            "into words is not guessed",
            file->path);
    if (!name.text) return &gpt2_words;
    for (size_t i = 0; i < n_rules; i++) {
        if (is_named(rules[i], name)) return rules[i];
    }
    die("file '%s': key 'tokenizer.ggml.pre': '%.*s' is not known here", file->path,
        (int)(name.bytes < 99 ? name.bytes : 99), name.text);
}

/* Tokens of each type. Unused ones at the end are no tokens: a model's matrices have
 * more rows than its tokenizer has tokens. */
static void add_tokens(Vocabulary *v, const Gguf *file, const GgufText *tokens,
                       size_t n) {
    size_t n_types, used = n;
    int32_t *types = gguf_ints(file, "tokenizer.ggml.token_type", &n_types);
    if (n_types != n)
        die("file '%s': key 'tokenizer.ggml.token_type': has %zu types for %zu tokens",
            file->path, n_types, n);
    while (used > 0 && types[used - 1] == UNUSED) used--;
    if (used == 0) die("file '%s': key 'tokenizer.ggml.tokens': none", file->path);
    for (size_t i = 0; i < used; i++) {
        if (types[i] < NORMAL || types[i] > UNUSED)
            die("file '%s': key 'tokenizer.ggml.token_type': token %zu has type %d, "
                "expected %d to %d",
                file->path, i, (int)types[i], NORMAL, UNUSED);
        if (types[i] == NORMAL)
            vocabulary_add_token(v, tokens[i].text, tokens[i].bytes);
        else
            vocabulary_add_special(v, tokens[i].text, tokens[i].bytes,
                                   types[i] != USER_DEFINED);
    }
    v->tokenizer->n_padding = n - used;
    free(types);
}

/* A token that a key names, or -1. */
static int token_of(const Gguf *file, const char *key, const Tokenizer *t) {
    return gguf_has(file, key) ? (int)gguf_size(file, key, 0, t->tokens.n - 1) : -1;
}

/* llama.cpp's keys for tokens that end a text; it stops at each of them. */
static const char *const ends[] = {"tokenizer.ggml.eos_token_id",
                                   "tokenizer.ggml.eot_token_id",
                                   "tokenizer.ggml.eom_token_id"};
enum { N_ENDS = sizeof ends / sizeof *ends };
static const char bos_key[] = "tokenizer.ggml.bos_token_id",
                  pad_key[] = "tokenizer.ggml.padding_token_id",
                  add_bos_key[] = "tokenizer.ggml.add_bos_token",
                  add_eos_key[] = "tokenizer.ggml.add_eos_token",
                  add_space_key[] = "tokenizer.ggml.add_space_prefix";

/* What llama.cpp puts around every text; of Llama 3 it does so unless it is told not
 * to. */
static void read_added(Tokenizer *t, const Gguf *file, const WordRule *rule) {
    bool is_llama3 = strcmp(rule->name, "llama-bpe") == 0;
    if (gguf_flag(file, add_bos_key, is_llama3))
        t->bos = (int)gguf_size(file, bos_key, 0, t->tokens.n - 1);
    t->prefix_space = rule == &gpt2_words && gguf_flag(file, add_space_key, false);
    if (gguf_flag(file, add_eos_key, false))
        die("file '%s': key '%s': is true: an end behind every text is not known here",
            file->path, add_eos_key);
}

static void read_marks(Tokenizer *t, const Gguf *file) {
    for (size_t i = 0; i < N_ENDS; i++) {
        int end = token_of(file, ends[i], t);
        if (end >= 0) tokenizer_add_end(t, end);
    }
    t->begin = token_of(file, bos_key, t);
    t->pad = token_of(file, pad_key, t);
    if (t->eot < 0) t->eot = tokenizer_end(t); /* no token has a name that says so */
}

static Tokenizer *read_tokenizer(const Gguf *file, const WordRule *rule,
                                 const GgufText *tokens, size_t n_tokens) {
    size_t n_merges;
    GgufText *merges = gguf_texts(file, "tokenizer.ggml.merges", &n_merges);
    GgufText kind = gguf_text(file, "tokenizer.ggml.model");
    if (kind.bytes != 4 || memcmp(kind.text, "gpt2", 4) != 0)
        die("file '%s': key 'tokenizer.ggml.model': expected 'gpt2'", file->path);
    Vocabulary v = vocabulary_begin(file->path);
    v.loose = rule != &gpt2_words;
    if (v.loose || gguf_has(file, "tokenizer.ggml.token_type"))
        add_tokens(&v, file, tokens, n_tokens);
    else
        for (size_t i = 0; i < n_tokens; i++)
            vocabulary_add_token(&v, tokens[i].text, tokens[i].bytes);
    vocabulary_end_tokens(&v, file->path);
    for (size_t i = 0; i < n_merges; i++)
        vocabulary_add_merge(&v, "merge", i + 1, merges[i].text, merges[i].bytes);
    free(merges);
    read_marks(v.tokenizer, file);
    read_added(v.tokenizer, file, rule);
    return vocabulary_end(&v, rule);
}

Tokenizer *gguf_tokenizer(const Gguf *file, const WordRule *const *rules,
                          size_t n_rules) {
    size_t n;
    GgufText *tokens = gguf_texts(file, "tokenizer.ggml.tokens", &n);
    Tokenizer *t = NULL;
    if (tokens) t = read_tokenizer(file, find_rule(file, rules, n_rules), tokens, n);
    free(tokens);
    return t;
}

/* --- writing --- */

/* Texts in memory of their own, one behind the other. */
typedef struct {
    char *bytes;
    size_t n;
} Letters;

static GgufText add_letters(Letters *l, const Tokenizer *t, int id) {
    size_t n = vocabulary_letters(l->bytes + l->n, t, id);
    l->n += n;
    return (GgufText){l->bytes + l->n - n, n};
}

enum { UNUSED_NAME = 24 };

/* Room for all tokens, and for all merges with a blank in each: a byte takes two
 * letters' bytes at most. */
static Letters letters_create(const Tokenizer *t) {
    size_t bytes = size_mul(t->n_padding, UNUSED_NAME), n;
    for (size_t id = 0; id < tokenizer_n_vocab(t); id++) {
        tokenizer_token(t, (int)id, &n);
        bytes += 2 * n;
    }
    for (size_t i = 0; i < t->merges.n; i++) {
        tokenizer_token(t, t->merges.items[i].merged, &n);
        bytes += 2 * n + 1;
    }
    return (Letters){checked_alloc(bytes, 1), 0};
}

static GgufText add_unused(Letters *l, size_t id) {
    char *name = l->bytes + l->n;
    size_t n = (size_t)snprintf(name, UNUSED_NAME, "[PAD%zu]", id);
    l->n += n;
    return (GgufText){name, n};
}

static void put_tokens(GgufWriter *w, const Tokenizer *t, Letters *letters) {
    size_t n = tokenizer_n_vocab(t);
    GgufText *texts = checked_alloc(n, sizeof *texts);
    int32_t *types = checked_alloc(n, sizeof *types);
    for (size_t id = 0; id < n; id++) {
        bool used = id < t->tokens.n;
        texts[id] = used ? add_letters(letters, t, (int)id) : add_unused(letters, id);
        types[id] = used ? NORMAL : UNUSED;
    }
    for (size_t i = 0; i < t->n_special; i++) { /* spelled as they are */
        GgufText *text = &texts[t->special[i].id];
        text->text = tokenizer_token(t, t->special[i].id, &text->bytes);
        types[t->special[i].id] = t->special[i].control ? CONTROL : USER_DEFINED;
    }
    gguf_put_texts(w, "tokenizer.ggml.tokens", texts, n);
    gguf_put_ints(w, "tokenizer.ggml.token_type", types, n);
    free(texts);
    free(types);
}

static void put_merges(GgufWriter *w, const Tokenizer *t, Letters *letters) {
    GgufText *texts = checked_alloc(t->merges.n, sizeof *texts);
    for (size_t i = 0; i < t->merges.n; i++) {
        const Merge *m = &t->merges.items[i];
        texts[i] = add_letters(letters, t, m->left);
        letters->bytes[letters->n++] = ' ';
        texts[i].bytes += 1 + add_letters(letters, t, m->right).bytes;
    }
    gguf_put_texts(w, "tokenizer.ggml.merges", texts, t->merges.n);
    free(texts);
}

void gguf_put_tokenizer(GgufWriter *w, const Tokenizer *t) {
    const WordRule *rule = pretokenizer_rule(t->pretokenizer);
    int bos = tokenizer_begin(t), eos = tokenizer_end(t);
    Letters letters = letters_create(t);
    gguf_put_text(w, "tokenizer.ggml.model", "gpt2");
    gguf_put_text(w, "tokenizer.ggml.pre", rule->name);
    put_tokens(w, t, &letters);
    put_merges(w, t, &letters);
    if (bos >= 0) gguf_put_size(w, bos_key, (size_t)bos);
    if (eos >= 0) gguf_put_size(w, ends[0], (size_t)eos);
    for (size_t i = 1; i < t->n_ends && i < N_ENDS; i++)
        gguf_put_size(w, ends[i], (size_t)t->ends[i]);
    if (t->pad >= 0) gguf_put_size(w, pad_key, (size_t)t->pad);
    if (t->prefix_space) gguf_put_flag(w, add_space_key, true);
    if (rule != &gpt2_words || t->bos >= 0) gguf_put_flag(w, add_bos_key, t->bos >= 0);
    if (t->chat_template) gguf_put_text(w, "tokenizer.chat_template", t->chat_template);
    free(letters.bytes);
}
