/* The tokenizer: see tokenizer.h. */
#include "09-tokenizer/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_encode.h"
#include "base/error.h"
#include "base/memory.h"

Tokenizer *tokenizer_empty(void) {
    Tokenizer *t = checked_alloc(1, sizeof *t);
    t->eot = -1;
    t->bos = t->begin = t->pad = -1;
    return t;
}

void tokenizer_add_special(Tokenizer *t, int id, bool control) {
    for (size_t i = 0; i < t->n_special; i++)
        if (t->special[i].id == id) return;
    t->special = checked_realloc(t->special, t->n_special + 1, sizeof *t->special);
    t->special[t->n_special++] = (SpecialToken){id, control};
}

void tokenizer_add_end(Tokenizer *t, int id) {
    for (size_t i = 0; i < t->n_ends; i++)
        if (t->ends[i] == id) return;
    if (t->n_ends == TOKENIZER_MOST_ENDS)
        die("more than %d tokens that end a text", TOKENIZER_MOST_ENDS);
    t->ends[t->n_ends++] = id;
}

int tokenizer_end(const Tokenizer *t) {
    return t->n_ends ? t->ends[0] : t->eot;
}

int tokenizer_begin(const Tokenizer *t) {
    return t->begin >= 0 ? t->begin : t->bos >= 0 ? t->bos : t->eot;
}

Tokenizer *tokenizer_bytes(void) {
    Tokenizer *t = tokenizer_empty();
    for (int b = 0; b < 256; b++)
        t->byte_token[b] = (int)string_table_add(&t->tokens, &(char){(char)b}, 1);
    t->eot = (int)string_table_add(&t->tokens, END_OF_TEXT, strlen(END_OF_TEXT));
    tokenizer_add_special(t, t->eot, true);
    t->pretokenizer = pretokenizer_create(&gpt2_words);
    return t;
}

void tokenizer_free(Tokenizer *t) {
    if (!t) return;
    string_table_free(&t->tokens);
    merge_table_free(&t->merges);
    pretokenizer_free(t->pretokenizer);
    free(t->special);
    free(t->chat_template);
    free(t);
}

size_t tokenizer_n_vocab(const Tokenizer *t) {
    return t->tokens.n + t->n_padding;
}

int tokenizer_eot(const Tokenizer *t) {
    return t->eot;
}

const char *tokenizer_token(const Tokenizer *t, int id, size_t *bytes) {
    if (id < 0 || (size_t)id >= tokenizer_n_vocab(t))
        die("token %d: expected 0 to %zu", id, tokenizer_n_vocab(t) - 1);
    if ((size_t)id >= t->tokens.n) {
        *bytes = 0;
        return "";
    }
    return string_table_get(&t->tokens, (size_t)id, bytes);
}

char *tokenizer_decode(const Tokenizer *t, const int *ids, size_t n_tokens,
                       size_t *bytes) {
    size_t length, used = 0, total = 0;
    for (size_t i = 0; i < n_tokens; i++) {
        tokenizer_token(t, ids[i], &length);
        total += length;
    }
    char *text = checked_alloc(total + 1, 1);
    for (size_t i = 0; i < n_tokens; i++) {
        const char *token = tokenizer_token(t, ids[i], &length);
        memcpy(text + used, token, length);
        used += length;
    }
    *bytes = total;
    return text;
}

/* The working state of one call of tokenizer_encode. Words come again and again in a
 * text: the ids of a word that was seen before are copied from where they first
 * went. */
typedef struct {
    const Tokenizer *t;
    int *ids;
    size_t n, capacity;
    StringTable seen;
    struct Span {
        size_t at, n;
    } * spans; /* of the words in `seen` */
    size_t n_spans, span_capacity;
    BpeScratch scratch;
} Encoder;

static void reserve_ids(Encoder *e, size_t more) {
    if (e->n + more <= e->capacity) return;
    e->capacity = 2 * (e->n + more);
    e->ids = checked_realloc(e->ids, e->capacity, sizeof *e->ids);
}

/* Byte-pair encoding of one word, at the end of the ids. A byte without a token is left
 * out. */
static void encode_new_word(Encoder *e, const char *word, size_t n) {
    const Tokenizer *t = e->t;
    reserve_ids(e, n);
    int *ids = e->ids + e->n;
    size_t whole =
        t->ignore_merges ? string_table_find(&t->tokens, word, n) : STRING_NOT_FOUND;
    if (whole != STRING_NOT_FOUND) {
        ids[0] = (int)whole;
        e->n++;
        return;
    }
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        int id = t->byte_token[(unsigned char)word[i]];
        if (id >= 0) ids[known++] = id;
    }
    bpe_scratch_reserve(&e->scratch, known);
    e->n += known > 1 ? bpe_encode(ids, known, &t->merges, &e->scratch) : known;
}

static void encode_word(Encoder *e, const char *word, size_t n) {
    enum { LONGEST_REMEMBERED = 64 };
    if (n > LONGEST_REMEMBERED) {
        encode_new_word(e, word, n);
        return;
    }
    size_t index = string_table_add(&e->seen, word, n);
    if (index < e->n_spans) {
        struct Span s = e->spans[index];
        reserve_ids(e, s.n);
        memcpy(e->ids + e->n, e->ids + s.at, s.n * sizeof *e->ids);
        e->n += s.n;
        return;
    }
    if (e->n_spans == e->span_capacity) {
        e->span_capacity = e->span_capacity ? 2 * e->span_capacity : 256;
        e->spans = checked_realloc(e->spans, e->span_capacity, sizeof *e->spans);
    }
    size_t at = e->n;
    encode_new_word(e, word, n);
    e->spans[e->n_spans++] = (struct Span){at, e->n - at};
}

/* A text without special tokens. */
static void encode_plain(Encoder *e, const char *text, size_t n) {
    const char *word;
    size_t length;
    char *normal = e->t->normalize ? e->t->normalize(text, n, &n) : NULL;
    if (e->t->prefix_space && n && *text != ' ') {
        normal = checked_alloc(n + 1, 1);
        *normal = ' ';
        memcpy(normal + 1, text, n++);
    }
    WordWalk walk = words_begin(e->t->pretokenizer, normal ? normal : text, n);
    while (words_next(&walk, &word, &length)) encode_word(e, word, length);
    words_end(&walk);
    free(normal);
}

/* The longest special token with which the text begins, or -1. */
static int special_at(const Tokenizer *t, const char *text, size_t n, bool control,
                      size_t *bytes) {
    int id = -1;
    for (size_t i = 0; i < t->n_special; i++) {
        size_t length;
        if (t->special[i].control && !control) continue;
        const char *token = tokenizer_token(t, t->special[i].id, &length);
        if (length == 0 || length > n || (id >= 0 && length <= *bytes)) continue;
        if (memcmp(text, token, length) != 0) continue;
        id = t->special[i].id;
        *bytes = length;
    }
    return id;
}

/* The place of the first special token, its id and its length; n and id -1 where there
 * is none. */
static size_t find_special(const Tokenizer *t, const char *text, size_t n, bool control,
                           int *id, size_t *bytes) {
    bool begins[256] = {false};
    *id = -1;
    for (size_t i = 0; i < t->n_special; i++) {
        size_t length;
        if (t->special[i].control && !control) continue;
        const char *token = tokenizer_token(t, t->special[i].id, &length);
        if (length) begins[(unsigned char)token[0]] = true;
    }
    for (size_t at = 0; at < n; at++) {
        if (!begins[(unsigned char)text[at]]) continue;
        *id = special_at(t, text + at, n - at, control, bytes);
        if (*id >= 0) return at;
    }
    return n;
}

size_t tokenizer_find_special(const Tokenizer *t, const char *bytes, size_t n, int *id,
                              size_t *length) {
    return find_special(t, bytes, n, true, id, length);
}

int *tokenizer_encode(const Tokenizer *t, const char *bytes, size_t n, bool special,
                      size_t *n_tokens) {
    Encoder e = {.t = t};
    reserve_ids(&e, 1);
    for (size_t at = 0; at < n;) {
        int id;
        size_t length = 0,
               plain = find_special(t, bytes + at, n - at, special, &id, &length);
        encode_plain(&e, bytes + at, plain);
        at += plain + length;
        if (id < 0) break;
        reserve_ids(&e, 1);
        e.ids[e.n++] = id;
    }
    string_table_free(&e.seen);
    free(e.spans);
    bpe_scratch_free(&e.scratch);
    *n_tokens = e.n;
    return e.ids;
}
