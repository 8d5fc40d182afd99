/* An attack on 06/word_positions: one batch with all that may happen, and its
 * variations. */
#include "06-embeddings/word_positions.h"

#include "check/check.h"

enum { BATCH = 3, LENGTH = 5, N = BATCH * LENGTH };

static const int tokens[N] = {8, 8, 3, 1, 0, 4, 8, 2, 8, 8, 0, 1, 2, 3, 4};

static void check_ids(const int *words, const size_t *first, int padding) {
    int ids[N];
    for (size_t i = 0; i < N; i++) ids[i] = -5;
    word_positions(ids, words, first, BATCH, LENGTH, padding);
    for (size_t b = 0; b < BATCH; b++) {
        int next = first ? (int)first[b] : 0;
        for (size_t i = b * LENGTH; i < (b + 1) * LENGTH; i++) {
            int right = words && words[i] == padding ? 0 : next++;
            CHECK(ids[i] == right, "ids[%zu] is %d, expected %d", i, ids[i], right);
        }
    }
}

Test(attack, batches) {
    const size_t first[BATCH] = {4, 10, 0};
    for (size_t with_first = 0; with_first < 2; with_first++) {
        const size_t *f = with_first ? first : NULL;
        check_ids(NULL, f, 8);
        for (int padding = -1; padding < 9; padding++) check_ids(tokens, f, padding);
    }
}
