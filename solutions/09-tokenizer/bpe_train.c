/* The steps of learning a byte-pair encoding. Before you read on: make hint-09
 * EX=bpe_train */
#include "09-tokenizer/bpe_train.h"

void bpe_count_word(PairCounts *pairs, const BpeWord *word, size_t index) {
    for (size_t i = 0; i + 1 < word->n; i++) {
        pair_counts_add(pairs, word->tokens[i], word->tokens[i + 1], word->times,
                        index);
    }
}

bool bpe_best_pair(PairCounts *pairs, int64_t min_count, Pair *best) {
    while (pairs->queue.n) {
        HeapItem first = heap_pop(&pairs->queue);
        Pair pair = pair_of_item(first);
        int64_t count = pair_counts_get(pairs, pair);
        /* if the count grows again, it is queued again */
        if (count < min_count) continue;
        if (count == count_of_item(first)) {
            *best = pair;
            return true;
        }
        /* fallen: back to where it belongs now */
        HeapItem item = pair_item(pair, count);
        heap_push(&pairs->queue, item.key, item.value);
    }
    return false;
}

void bpe_merge_word(PairCounts *pairs, BpeWord *word, size_t index, Pair pair,
                    int merged) {
    const int *in = word->tokens;
    int *out = word->tokens;
    size_t n = word->n, kept = 0;
    int64_t times = word->times;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 == n || in[i] != pair.left || in[i + 1] != pair.right) {
            out[kept++] = in[i];
            continue;
        }
        pair_counts_add(pairs, pair.left, pair.right, -times, index);
        if (kept > 0) { /* the neighbour on the left may be a token merged just now */
            pair_counts_add(pairs, out[kept - 1], pair.left, -times, index);
            pair_counts_add(pairs, out[kept - 1], merged, times, index);
        }
        if (i + 2 < n) {
            pair_counts_add(pairs, pair.right, in[i + 2], -times, index);
            pair_counts_add(pairs, merged, in[i + 2], times, index);
        }
        out[kept++] = merged;
        i++;
    }
    word->n = kept;
}
