/* The words of a row are counted first, and handed out from the end. */
#include "06-embeddings/word_positions.h"

#include <stdbool.h>

void word_positions(int *ids, const int *tokens, const size_t *first, size_t batch,
                    size_t length, int padding) {
    for (size_t end = batch * length; end > 0; end -= length) {
        size_t start = end - length, count = 0;
        for (size_t i = start; i < end; i++) count += !tokens || tokens[i] != padding;
        for (size_t i = end; i-- > start;) {
            bool is_word = !tokens || tokens[i] != padding;
            if (is_word) count--;
            ids[i] = is_word ? (int)(count + (first ? first[start / length] : 0)) : 0;
        }
    }
}
