/* Learning a vocabulary from a text: see tokenizer.h. */
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_train.h"
#include "09-tokenizer/tokenizer.h"
#include "09-tokenizer/vocabulary.h"
#include "base/error.h"
#include "base/memory.h"

/* A pair that occurs once saves one token once; a merge costs a row of the
 * embedding. */
enum { MIN_COUNT = 2 };

/* The distinct words of a text, with their counts. */
typedef struct {
    StringTable words;
    int64_t *times;
    size_t capacity;
} WordCounts;

static void count_words(WordCounts *c, const Pretokenizer *p, const char *text,
                        size_t n) {
    const char *word;
    size_t length;
    WordWalk walk = words_begin(p, text, n);
    while (words_next(&walk, &word, &length)) {
        size_t known = c->words.n, index = string_table_add(&c->words, word, length);
        if (index == c->capacity) {
            c->capacity = c->capacity ? 2 * c->capacity : 1024;
            c->times = checked_realloc(c->times, c->capacity, sizeof *c->times);
        }
        if (index == known) c->times[index] = 0;
        c->times[index]++;
    }
    words_end(&walk);
}

/* The counted words as tokens of single bytes; *storage holds all tokens. */
static BpeWord *words_as_tokens(const WordCounts *c, const int byte_token[256],
                                int **storage) {
    size_t n = c->words.n, total = n ? c->words.start[n] : 0;
    BpeWord *words = checked_alloc(n, sizeof *words);
    *storage = checked_alloc(total, sizeof **storage);
    for (size_t i = 0; i < total; i++)
        (*storage)[i] = byte_token[(unsigned char)c->words.bytes[i]];
    for (size_t w = 0; w < n; w++) {
        words[w] = (BpeWord){*storage + c->words.start[w],
                             c->words.start[w + 1] - c->words.start[w], c->times[w]};
    }
    return words;
}

/* The place of the first END_OF_TEXT of the text; n if there is none. */
static size_t find_end_of_text(const char *text, size_t n) {
    const size_t length = strlen(END_OF_TEXT);
    for (const char *at = text;
         (at = memchr(at, END_OF_TEXT[0], n - (size_t)(at - text))); at++) {
        size_t left = n - (size_t)(at - text);
        if (left < length) break;
        if (memcmp(at, END_OF_TEXT, length) == 0) return (size_t)(at - text);
    }
    return n;
}

Tokenizer *tokenizer_train(const char *text, size_t n, size_t n_vocab) {
    if (n_vocab < TOKENIZER_MIN_VOCAB) {
        die("a vocabulary of %zu tokens: expected at least %d (the bytes and %s)",
            n_vocab, TOKENIZER_MIN_VOCAB, END_OF_TEXT);
    }
    Tokenizer *t = tokenizer_empty();
    t->pretokenizer = pretokenizer_create(&gpt2_words);
    for (int i = 0; i < 256; i++) {
        int byte = byte_in_order(i);
        t->byte_token[byte] = (int)string_table_add(&t->tokens, &(char){(char)byte}, 1);
    }
    WordCounts counts = {0};
    for (size_t at = 0; at < n;) {
        size_t document = find_end_of_text(text + at, n - at);
        count_words(&counts, t->pretokenizer, text + at, document);
        at += document + strlen(END_OF_TEXT);
    }
    int *storage;
    BpeWord *words = words_as_tokens(&counts, t->byte_token, &storage);
    bpe_train(&t->merges, &t->tokens, words, counts.words.n, n_vocab - 1, MIN_COUNT);
    t->eot = (int)string_table_add(&t->tokens, END_OF_TEXT, strlen(END_OF_TEXT));
    tokenizer_add_special(t, t->eot, true);
    free(words);
    free(storage);
    free(counts.times);
    string_table_free(&counts.words);
    return t;
}
