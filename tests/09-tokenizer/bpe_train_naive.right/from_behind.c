/* The table is looked through from its end, and an equal count replaces the best. */
#include "09-tokenizer/bpe_train_naive.h"

static int64_t *place(int64_t *counts, size_t n, const int *at) {
    return &counts[(size_t)at[0] * n + (size_t)at[1]];
}

static void merge(BpeWord *word, Pair pair, int token) {
    int *to = word->tokens, *end = word->tokens + word->n;
    for (const int *from = word->tokens; from < end; to++) {
        if (from + 1 < end && from[0] == pair.left && from[1] == pair.right) {
            *to = token;
            from += 2;
        } else {
            *to = *from++;
        }
    }
    word->n = (size_t)(to - word->tokens);
}

size_t bpe_train_naive(Pair *merges, size_t n_merges, BpeWord *words, size_t n_words,
                       int64_t *counts) {
    size_t learned = 0;
    while (learned < n_merges) {
        size_t n = 256 + learned, best = n * n - 1;
        for (size_t p = 0; p < n * n; p++) counts[p] = 0;
        for (size_t w = n_words; w-- > 0;) {
            for (size_t i = words[w].n; i > 1; i--)
                *place(counts, n, &words[w].tokens[i - 2]) += words[w].times;
        }
        for (size_t p = n * n; p-- > 0;) {
            if (counts[p] >= counts[best]) best = p;
        }
        if (counts[best] <= 1) break;
        merges[learned].left = (int)(best / n);
        merges[learned].right = (int)(best % n);
        for (size_t w = n_words; w-- > 0;)
            merge(&words[w], merges[learned], 256 + (int)learned);
        learned++;
    }
    return learned;
}
