/* Byte-pair encoders with one rule changed, for tests/09-tokenizer/bpe_encode.c: what
 * they give tells which rule a wrong encoder breaks. */
#ifndef TESTS_WRONG_ENCODERS_H
#define TESTS_WRONG_ENCODERS_H

#include <stdbool.h>
#include <stddef.h>

#include "09-tokenizer/merges.h"

/* Another way to encode, with one rule changed. */
typedef enum {
    RIGHT_TO_LEFT,
    RANKS_IGNORED,
    LAST_RANK_FIRST,
    ONE_MERGE_ONLY,
    RIGHT_FORGOTTEN,
    LEFT_FORGOTTEN,
    NOT_LINKED,
    ALL_AT_ONCE,
    BY_MERGED,
    N_WRONG
} Wrong;

enum { LONGEST_WORD = 200 };

static const char *const wrong_words[N_WRONG] = {
    "of equal pairs the rightmost is merged first, not the leftmost",
    "the leftmost pair is merged first, whatever its rank",
    "the highest rank goes first, not the lowest",
    "only one merge is made",
    "a merged token is not paired with its neighbour on the right",
    "a merged token is not paired with its neighbour on the left",
    "the list is not linked backwards over a token that was taken in",
    "all places of a pair are merged before the pairs that this makes are seen",
    "the pair with the smallest merged token goes first, not that of the lowest rank",
};

/* Merges all places of the pair, from left to right. */
static inline size_t merge_everywhere(int *tokens, size_t n, const Merge *m) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool here = i + 1 < n && tokens[i] == m->left && tokens[i + 1] == m->right;
        tokens[kept++] = here ? m->merged : tokens[i];
        i += here;
    }
    return kept;
}

static inline size_t encode_wrongly(int *tokens, size_t n, const MergeTable *merges,
                                    Wrong wrong) {
    bool unpaired[LONGEST_WORD] = {false}; /* with the token behind it */
    bool unlinked[LONGEST_WORD] = {false}; /* from the token before it */
    for (;;) {
        const Merge *best = NULL;
        size_t at = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            const Merge *m = merge_table_find(merges, tokens[i], tokens[i + 1]);
            if (!m || unpaired[i]) continue;
            bool better = !best || m->rank < best->rank;
            if (best && wrong == RIGHT_TO_LEFT) better = m->rank <= best->rank;
            if (best && wrong == RANKS_IGNORED) better = false;
            if (best && wrong == LAST_RANK_FIRST) better = m->rank > best->rank;
            if (best && wrong == BY_MERGED) better = m->merged < best->merged;
            if (better) {
                best = m;
                at = i;
            }
        }
        if (!best) return n;
        if (wrong == ALL_AT_ONCE) {
            n = merge_everywhere(tokens, n, best);
            continue;
        }
        tokens[at] = best->merged;
        n--;
        for (size_t i = at + 1; i < n; i++) {
            tokens[i] = tokens[i + 1];
            unpaired[i] = unpaired[i + 1];
            unlinked[i] = unlinked[i + 1];
        }
        unpaired[at] = wrong == RIGHT_FORGOTTEN;
        if (at > 0) unpaired[at - 1] = wrong == LEFT_FORGOTTEN || unlinked[at];
        if (at + 1 < n) unlinked[at + 1] = wrong == NOT_LINKED;
        if (wrong == ONE_MERGE_ONLY) return n;
    }
}

#endif
