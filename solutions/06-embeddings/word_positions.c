/* Positions of words. Before you read on: make hint-06 EX=word_positions */
#include "06-embeddings/word_positions.h"

void word_positions(int *ids, const int *tokens, const size_t *first, size_t batch,
                    size_t length, int padding) {
    for (size_t b = 0; b < batch; b++) {
        size_t words = first ? first[b] : 0;
        for (size_t i = b * length; i < (b + 1) * length; i++) {
            if (tokens && tokens[i] == padding)
                ids[i] = 0;
            else
                ids[i] = (int)words++;
        }
    }
}
