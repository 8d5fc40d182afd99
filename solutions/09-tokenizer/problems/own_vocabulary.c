/* Too many tokens, and then without those that are missed least. Before you read on:
 * make hint-09 P=own_vocabulary */
#include "09-tokenizer/problems/own_vocabulary.h"

#include <stdint.h>
#include <string.h>

enum { CANDIDATES = 4 * OWN_TOKENS };

static int contains(const Word *word, const Token *token) {
    for (size_t i = 0; i + token->n <= word->n; i++) {
        if (memcmp(word->bytes + i, token->bytes, token->n) == 0) return 1;
    }
    return 0;
}

/* How many more tokens the text needs without token `i`. Only words that hold it
 * can. */
static size_t missed(const Token *tokens, size_t n, size_t i, const Word *words,
                     size_t n_words) {
    Token others[CANDIDATES];
    size_t sum = 0;
    memcpy(others, tokens, n * sizeof *tokens);
    others[i] = others[n - 1];
    for (size_t w = 0; w < n_words; w++) {
        if (!contains(&words[w], &tokens[i])) continue;
        sum += words[w].times * (fewest_tokens(others, n - 1, &words[w]) -
                                 fewest_tokens(tokens, n, &words[w]));
    }
    return sum;
}

/* BPE keeps every step on its way to a token, "qu" and "qui" beside "quiet", though
 * nothing needs them any more (Kudo 2018 prunes like this, Chizhov et al. 2024 take
 * such steps out again). */
void own_vocabulary(Token tokens[OWN_TOKENS], const char *text, size_t n,
                    const Word *words, size_t n_words) {
    Token left[CANDIDATES];
    size_t count = bpe_tokens(left, CANDIDATES, text, n);
    while (count > OWN_TOKENS) {
        size_t best = 0, least = SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            size_t lost = missed(left, count, i, words, n_words);
            if (lost < least) {
                least = lost;
                best = i;
            }
        }
        left[best] = left[--count];
    }
    memcpy(tokens, left, count * sizeof *tokens);
}
