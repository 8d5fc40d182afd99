/* The tokenizer: see tokenizer.h. */
#include "09-tokenizer/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_encode.h"
#include "base/error.h"
#include "base/memory.h"

Tokenizer *tokenizer_bytes(void) {
    Tokenizer *t = checked_alloc(1, sizeof *t);
    for (int b = 0; b < 256; b++)
        t->byte_token[b] = (int)string_table_add(&t->tokens, &(char){(char)b}, 1);
    t->eot = (int)string_table_add(&t->tokens, END_OF_TEXT, strlen(END_OF_TEXT));
    t->pretokenizer = pretokenizer_create();
    return t;
}

void tokenizer_free(Tokenizer *t) {
    if (!t) return;
    string_table_free(&t->tokens);
    merge_table_free(&t->merges);
    pretokenizer_free(t->pretokenizer);
    free(t);
}

size_t tokenizer_n_vocab(const Tokenizer *t) {
    return t->tokens.n;
}

int tokenizer_eot(const Tokenizer *t) {
    return t->eot;
}

const char *tokenizer_token(const Tokenizer *t, int id, size_t *bytes) {
    if (id < 0 || (size_t)id >= t->tokens.n)
        die("token %d: expected 0 to %zu", id, t->tokens.n - 1);
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

/* What one call of tokenizer_encode needs. Words come again and again in a text: the
 * ids of a word that was seen before are copied from where they first went. */
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

/* Byte-pair encoding of one word, at the end of the ids. */
static void encode_new_word(Encoder *e, const char *word, size_t n) {
    reserve_ids(e, n);
    for (size_t i = 0; i < n; i++)
        e->ids[e->n + i] = e->t->byte_token[(unsigned char)word[i]];
    bpe_scratch_reserve(&e->scratch, n);
    e->n += n > 1 ? bpe_encode(e->ids + e->n, n, &e->t->merges, &e->scratch) : n;
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
    WordWalk walk = words_begin(e->t->pretokenizer, text, n);
    while (words_next(&walk, &word, &length)) encode_word(e, word, length);
    words_end(&walk);
}

size_t find_end_of_text(const char *text, size_t n) {
    const size_t length = strlen(END_OF_TEXT);
    for (const char *at = text;
         (at = memchr(at, END_OF_TEXT[0], n - (size_t)(at - text))); at++) {
        size_t left = n - (size_t)(at - text);
        if (left < length) break;
        if (memcmp(at, END_OF_TEXT, length) == 0) return (size_t)(at - text);
    }
    return n;
}

int *tokenizer_encode(const Tokenizer *t, const char *bytes, size_t n, bool special,
                      size_t *n_tokens) {
    Encoder e = {.t = t};
    reserve_ids(&e, 1);
    for (size_t at = 0; at < n;) {
        size_t plain = special ? find_end_of_text(bytes + at, n - at) : n - at;
        encode_plain(&e, bytes + at, plain);
        at += plain;
        if (at == n) break;
        reserve_ids(&e, 1);
        e.ids[e.n++] = t->eot;
        at += strlen(END_OF_TEXT);
    }
    string_table_free(&e.seen);
    free(e.spans);
    bpe_scratch_free(&e.scratch);
    *n_tokens = e.n;
    return e.ids;
}
