/* Learning merges by counting. Before you read on: make hint-09 EX=bpe_train_naive */
#include "09-tokenizer/bpe_train_naive.h"

#include <stdbool.h>
#include <string.h>

static void merge_in(BpeWord *word, Pair pair, int merged) {
    size_t kept = 0;
    for (size_t i = 0; i < word->n; i++) {
        const int *at = &word->tokens[i];
        bool here = i + 1 < word->n && at[0] == pair.left && at[1] == pair.right;
        word->tokens[kept++] = here ? merged : at[0];
        if (here) i++;
    }
    word->n = kept;
}

size_t bpe_train_naive(Pair *merges, size_t n_merges, BpeWord *words, size_t n_words,
                       int64_t *counts) {
    size_t n = 256 + n_merges;
    for (size_t m = 0; m < n_merges; m++) {
        memset(counts, 0, n * n * sizeof *counts);
        for (size_t w = 0; w < n_words; w++) {
            for (size_t i = 0; i + 1 < words[w].n; i++) {
                const int *at = &words[w].tokens[i];
                counts[(size_t)at[0] * n + (size_t)at[1]] += words[w].times;
            }
        }
        size_t best = 0; /* of equal counts the first: the smaller tokens */
        for (size_t p = 1; p < n * n; p++) {
            if (counts[p] > counts[best]) best = p;
        }
        if (counts[best] < 2) return m;
        merges[m] = (Pair){(int)(best / n), (int)(best % n)};
        for (size_t w = 0; w < n_words; w++)
            merge_in(&words[w], merges[m], 256 + (int)m);
    }
    return n_merges;
}
