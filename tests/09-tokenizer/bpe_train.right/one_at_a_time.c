/* One merge after the other, each in a word that is whole before and after it: the
 * counts are of the word as it stands. */
#include "09-tokenizer/bpe_train.h"

#include <string.h>

void bpe_count_word(PairCounts *pairs, const BpeWord *word, size_t index) {
    if (word->n < 2) return;
    for (const int *t = word->tokens; t < word->tokens + word->n - 1; t++)
        pair_counts_add(pairs, t[0], t[1], word->times, index);
}

bool bpe_best_pair(PairCounts *pairs, int64_t min_count, Pair *best) {
    for (;;) {
        if (pairs->queue.n == 0) return false;
        HeapItem top = heap_pop(&pairs->queue);
        Pair pair = pair_of_item(top);
        int64_t count = pair_counts_get(pairs, pair);
        if (count == count_of_item(top) && count >= min_count) {
            best->left = pair.left;
            best->right = pair.right;
            return true;
        }
        if (count > 0 && count < count_of_item(top))
            heap_push(&pairs->queue, pair_item(pair, count).key,
                      pair_item(pair, count).value);
    }
}

void bpe_merge_word(PairCounts *pairs, BpeWord *word, size_t index, Pair pair,
                    int merged) {
    int *t = word->tokens;
    for (size_t i = 0; i + 1 < word->n; i++) {
        if (t[i] != pair.left || t[i + 1] != pair.right) continue;
        pair_counts_add(pairs, pair.left, pair.right, -word->times, index);
        if (i > 0) {
            pair_counts_add(pairs, t[i - 1], t[i], -word->times, index);
            pair_counts_add(pairs, t[i - 1], merged, word->times, index);
        }
        if (i + 2 < word->n) {
            pair_counts_add(pairs, t[i + 1], t[i + 2], -word->times, index);
            pair_counts_add(pairs, merged, t[i + 2], word->times, index);
        }
        t[i] = merged;
        memmove(t + i + 1, t + i + 2, (word->n - i - 2) * sizeof *t);
        word->n--;
    }
}
