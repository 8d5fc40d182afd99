/* Byte-pair encoding in O(n log n). Before you read on: make hint-09 EX=bpe_encode */
#include "09-tokenizer/bpe_encode.h"

/* Marks the place of a token that its left neighbour took in; there is no merge with
 * it. */
enum { GONE = -1 };

/* Queues the pair that starts at `at`, if there is one and it has a merge. The heap's
 * order is the rule: the rank first, then the place. */
static void offer(Heap *queue, const int *tokens, const size_t *next, size_t n,
                  size_t at, const MergeTable *merges) {
    if (next[at] >= n) return;
    const Merge *m = merge_table_find(merges, tokens[at], tokens[next[at]]);
    if (m) heap_push(queue, m->rank, at);
}

size_t bpe_encode(int *tokens, size_t n, const MergeTable *merges,
                  BpeScratch *scratch) {
    size_t *next = scratch->next, *previous = scratch->previous;
    Heap *queue = &scratch->queue;
    queue->n = 0;
    for (size_t i = 0; i < n; i++) {
        next[i] = i + 1;
        previous[i] = i ? i - 1 : n;
    }
    for (size_t i = 0; i < n; i++) offer(queue, tokens, next, n, i, merges);

    while (queue->n) {
        HeapItem best = heap_pop(queue);
        size_t at = (size_t)best.value, taken = next[at];
        const Merge *m =
            taken < n ? merge_table_find(merges, tokens[at], tokens[taken]) : NULL;
        if (!m || m->rank != best.key) continue; /* merged away since it was queued */

        size_t behind = next[taken];
        //> merge
        tokens[at] = m->merged;
        tokens[taken] = GONE;
        //< merge
        next[at] = behind;
        if (behind < n) previous[behind] = at;
        offer(queue, tokens, next, n, at, merges);
        if (previous[at] < n) offer(queue, tokens, next, n, previous[at], merges);
    }

    size_t kept = 0;
    for (size_t i = 0; i < n; i = next[i]) tokens[kept++] = tokens[i];
    return kept;
}
