/* The queue holds the place and the rank in one number, and the pair's two tokens
 * beside it: a pair that is no longer there is known by them. */
#include "09-tokenizer/bpe_encode.h"

enum { GONE = -1 };

static void add(BpeScratch *s, const int *tokens, const MergeTable *merges, size_t left,
                size_t right) {
    const Merge *m = merge_table_find(merges, tokens[left], tokens[right]);
    uint64_t both = (uint64_t)(uint32_t)tokens[left] << 32 | (uint32_t)tokens[right];
    if (m) heap_push(&s->queue, (uint64_t)m->rank << 32 | left, both);
}

size_t bpe_encode(int *tokens, size_t n, const MergeTable *merges, BpeScratch *s) {
    size_t kept = 0;
    s->queue.n = 0;
    for (size_t i = 0; i < n; i++) {
        s->next[i] = i + 1;
        s->previous[i] = i - 1;
    } /* before the first: SIZE_MAX */
    for (size_t i = 1; i < n; i++) add(s, tokens, merges, i - 1, i);
    while (s->queue.n) {
        HeapItem item = heap_pop(&s->queue);
        size_t at = item.key & 0xffffffff, right = s->next[at];
        int left_token = (int)(item.value >> 32),
            right_token = (int)(item.value & 0xffffffff);
        if (tokens[at] != left_token || right >= n || tokens[right] != right_token)
            continue;
        tokens[at] = merge_table_find(merges, left_token, right_token)->merged;
        tokens[right] = GONE;
        s->next[at] = s->next[right];
        if (s->next[at] < n) {
            s->previous[s->next[at]] = at;
            add(s, tokens, merges, at, s->next[at]);
        }
        if (s->previous[at] < n) add(s, tokens, merges, s->previous[at], at);
    }
    for (size_t i = 0; i < n; i++)
        if (tokens[i] != GONE) tokens[kept++] = tokens[i];
    return kept;
}
