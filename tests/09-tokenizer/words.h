/* Texts for the tests of learning: words made by hand. */
#ifndef TESTS_09_WORDS_H
#define TESTS_09_WORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/bpe_word.h"
#include "base/memory.h"

/* A text: its distinct words as tokens (of single bytes at first). */
typedef struct {
    BpeWord *words;
    size_t n;
} Text;

/* "low*5,lower*2": words with their counts. */
static inline Text text(const char *description) {
    Text t = {.words = checked_alloc(100, sizeof(BpeWord))};
    char *copy = checked_strdup(description);
    for (char *one = strtok(copy, ","); one; one = strtok(NULL, ","), t.n++) {
        char *star = strchr(one, '*');
        if (star) *star = 0;
        BpeWord *w = &t.words[t.n];
        *w = (BpeWord){checked_alloc(strlen(one), sizeof(int)), strlen(one),
                       star ? atoi(star + 1) : 1};
        for (size_t i = 0; i < w->n; i++) w->tokens[i] = (unsigned char)one[i];
    }
    return t;
}

static inline const char *word_text(const BpeWord *w) {
    static char out[400];
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < w->n && used < 380; i++) {
        int id = w->tokens[i];
        used += (size_t)snprintf(out + used, 400 - used,
                                 id > ' ' && id < 127 ? "%s%c" : "%s<%d>", i ? " " : "",
                                 id);
    }
    return out;
}

#endif
