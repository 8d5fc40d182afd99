/* The column, plus what came before, minus the padding that has gone by. */
#include "06-embeddings/word_positions.h"

void word_positions(int *ids, const int *tokens, const size_t *first, size_t batch,
                    size_t length, int padding) {
    for (size_t b = 0; b < batch; b++, ids += length) {
        size_t skipped = 0;
        for (size_t i = 0; i < length; i++) {
            ids[i] = (int)((first != NULL ? first[b] : 0) + i - skipped);
            if (tokens == NULL || tokens[b * length + i] != padding) continue;
            ids[i] = 0;
            skipped++;
        }
    }
}
