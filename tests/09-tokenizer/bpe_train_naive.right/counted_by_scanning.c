/* Without a table: each pair that stands in a word is counted by scanning all words. */
#include "09-tokenizer/bpe_train_naive.h"

#include <stdbool.h>
#include <string.h>

static int64_t count(const BpeWord *words, size_t n_words, Pair pair) {
    int64_t sum = 0;
    for (const BpeWord *w = words; w < words + n_words; w++) {
        for (size_t i = 1; i < w->n; i++) {
            if (w->tokens[i - 1] == pair.left && w->tokens[i] == pair.right)
                sum += w->times;
        }
    }
    return sum;
}

static bool comes_first(Pair a, Pair b) {
    return a.left < b.left || (a.left == b.left && a.right < b.right);
}

size_t bpe_train_naive(Pair *merges, size_t n_merges, BpeWord *words, size_t n_words,
                       int64_t *counts) {
    (void)counts;
    size_t m = 0;
    for (; m < n_merges; m++) {
        Pair best = {0, 0};
        int64_t most = 1;
        for (size_t w = 0; w < n_words; w++) {
            for (size_t i = 1; i < words[w].n; i++) {
                Pair pair = {words[w].tokens[i - 1], words[w].tokens[i]};
                int64_t times = count(words, n_words, pair);
                if (times < most || (times == most && !comes_first(pair, best)))
                    continue;
                best = pair;
                most = times;
            }
        }
        if (most < 2) break;
        merges[m] = best;
        for (size_t w = 0; w < n_words; w++) {
            int *tokens = words[w].tokens;
            for (size_t i = 0; i + 1 < words[w].n; i++) {
                if (tokens[i] != best.left || tokens[i + 1] != best.right) continue;
                tokens[i] = 256 + (int)m;
                words[w].n--;
                memmove(tokens + i + 1, tokens + i + 2,
                        (words[w].n - i - 1) * sizeof *tokens);
            }
        }
    }
    return m;
}
