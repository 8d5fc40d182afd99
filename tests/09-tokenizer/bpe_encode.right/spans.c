/* Every token knows how many places it spans, and its last place knows the first:
 * neighbours need no links. */
#include "09-tokenizer/bpe_encode.h"

enum { GONE = -1 };

typedef struct {
    int *tokens;
    size_t *span, *first; /* of the token that begins here; of the one that ends here */
    size_t n;
} Word;

static const Merge *merge_at(const Word *w, const MergeTable *merges, size_t at) {
    size_t right = at + w->span[at];
    return w->tokens[at] == GONE || right >= w->n
               ? NULL
               : merge_table_find(merges, w->tokens[at], w->tokens[right]);
}

static void queue_pair(Heap *queue, const Word *w, const MergeTable *merges,
                       size_t at) {
    const Merge *m = merge_at(w, merges, at);
    if (m) heap_push(queue, m->rank, at);
}

size_t bpe_encode(int *tokens, size_t n, const MergeTable *merges,
                  BpeScratch *scratch) {
    Word w = {
        .tokens = tokens, .span = scratch->next, .first = scratch->previous, .n = n};
    for (size_t i = 0; i < n; i++) {
        w.span[i] = 1;
        w.first[i] = i;
    }
    scratch->queue.n = 0;
    for (size_t i = 0; i < n; i++) queue_pair(&scratch->queue, &w, merges, i);
    while (scratch->queue.n > 0) {
        HeapItem item = heap_pop(&scratch->queue);
        size_t at = (size_t)item.value;
        const Merge *m = merge_at(&w, merges, at);
        if (m == NULL || m->rank != item.key) continue;
        size_t right = at + w.span[at];
        w.span[at] += w.span[right];
        w.first[at + w.span[at] - 1] = at;
        tokens[at] = m->merged;
        tokens[right] = GONE;
        queue_pair(&scratch->queue, &w, merges, at);
        if (at > 0) queue_pair(&scratch->queue, &w, merges, w.first[at - 1]);
    }
    size_t kept = 0;
    for (size_t i = 0, step; i < n; i += step) {
        step = w.span[i];
        tokens[kept++] = tokens[i];
    }
    return kept;
}
