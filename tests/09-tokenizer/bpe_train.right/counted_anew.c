/* A word that holds the pair is taken off the counts whole, and put back merged. */
#include "09-tokenizer/bpe_train.h"

static void count(PairCounts *pairs, const BpeWord *word, int64_t times, size_t index) {
    for (size_t i = 1; i < word->n; i++)
        pair_counts_add(pairs, word->tokens[i - 1], word->tokens[i], times, index);
}

void bpe_count_word(PairCounts *pairs, const BpeWord *word, size_t index) {
    count(pairs, word, word->times, index);
}

bool bpe_best_pair(PairCounts *pairs, int64_t min_count, Pair *best) {
    while (pairs->queue.n > 0) {
        HeapItem item = heap_pop(&pairs->queue);
        *best = pair_of_item(item);
        int64_t now = pair_counts_get(pairs, *best);
        if (now >= min_count && now == count_of_item(item)) return true;
        if (now >= min_count && now < count_of_item(item)) {
            item = pair_item(*best, now);
            heap_push(&pairs->queue, item.key, item.value);
        }
    }
    return false;
}

void bpe_merge_word(PairCounts *pairs, BpeWord *word, size_t index, Pair pair,
                    int merged) {
    count(pairs, word, -word->times, index);
    size_t kept = 0;
    for (size_t i = 0; i < word->n; i++) {
        int token = word->tokens[i];
        if (token == pair.left && i + 1 < word->n &&
            word->tokens[i + 1] == pair.right) {
            token = merged;
            i++;
        }
        word->tokens[kept++] = token;
    }
    word->n = kept;
    count(pairs, word, word->times, index);
}
