/* Merges made of letters by hand, and tokens as text by their spelling, for the tests
 * of exercise 09/bpe_encode. */
#ifndef TESTS_LETTER_LANGUAGE_H
#define TESTS_LETTER_LANGUAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/merges.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/check.h"

/* Token ids as text: "he|l|l|o" by their spelling. */
typedef struct {
    MergeTable merges;
    char spelling[400][40]; /* of the tokens; below 256 the byte */
    int n_tokens;
} Language;

static inline int token_of(const Language *l, const char *spelling) {
    for (int i = 0; i < l->n_tokens; i++) {
        if (strcmp(l->spelling[i], spelling) == 0) return i;
    }
    die("no token '%s' in the test", spelling);
}

/* Merges such as "h e", separated by commas, in the order of their ranks. */
static inline Language language(const char *merges) {
    Language l = {.n_tokens = 256};
    for (int i = 1; i < 256; i++) l.spelling[i][0] = (char)i;
    char *copy = checked_strdup(merges);
    for (char *one = strtok(copy, ","); one; one = strtok(NULL, ",")) {
        char left[20], right[20];
        CHECK(sscanf(one, "%19s %19s", left, right) == 2,
              "a bad merge in the test: '%s'", one);
        snprintf(l.spelling[l.n_tokens], sizeof l.spelling[0], "%s%s", left, right);
        merge_table_add(&l.merges, token_of(&l, left), token_of(&l, right), l.n_tokens);
        l.n_tokens++;
    }
    return l;
}

static const char *spell(const Language *l, const int *tokens, size_t n,
                         char out[1000]) {
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < n && used < 900; i++) {
        bool known = tokens[i] >= 0 && tokens[i] < l->n_tokens;
        used += (size_t)snprintf(out + used, 1000 - used, "%s%s", i ? "|" : "",
                                 known ? l->spelling[tokens[i]] : "(no token)");
    }
    return out;
}

static inline size_t bytes_as_tokens(int *tokens, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++) tokens[i] = (unsigned char)word[i];
    return n;
}

#endif
