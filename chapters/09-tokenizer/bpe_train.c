/* The loop around the exercise's steps: see bpe_train.h. */
#include "09-tokenizer/bpe_train.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The number of the token that spells left and right together; a new one unless there
 * is one already. */
static int joined_token(StringTable *tokens, Pair pair) {
    size_t n_left, n_right;
    const char *left = string_table_get(tokens, (size_t)pair.left, &n_left);
    const char *right = string_table_get(tokens, (size_t)pair.right, &n_right);
    char *both = checked_alloc(n_left + n_right, 1);
    memcpy(both, left, n_left);
    memcpy(both + n_left, right, n_right);
    size_t token = string_table_add(tokens, both, n_left + n_right);
    free(both);
    return (int)token;
}

//> train
void bpe_train(MergeTable *merges, StringTable *tokens, BpeWord *words, size_t n_words,
               size_t n_tokens, int64_t min_count) {
    PairCounts pairs = {.queues_later = true};
    for (size_t w = 0; w < n_words; w++) bpe_count_word(&pairs, &words[w], w);
    pair_counts_queue_grown(&pairs);

    Pair best;
    while (tokens->n < n_tokens && bpe_best_pair(&pairs, min_count, &best)) {
        int merged = joined_token(tokens, best);
        merge_table_add(merges, best.left, best.right, merged);
        size_t *holders, n = pair_counts_take_words(&pairs, best, &holders);
        for (size_t i = 0; i < n; i++) {
            bpe_merge_word(&pairs, &words[holders[i]], holders[i], best, merged);
        }
        free(holders);
        pair_counts_queue_grown(&pairs);
    }
    pair_counts_free(&pairs);
}
//< train
