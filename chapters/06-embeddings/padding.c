/* Sentences of different lengths in one batch: see padding.h. */
#include "06-embeddings/padding.h"

#include "base/error.h"

//> pad_rows
void pad_rows(int *tokens, const int *words, const size_t *lengths, size_t batch,
              size_t places, int padding) {
    for (size_t b = 0; b < batch; b++) {
        if (lengths[b] > places) {
            die("pad_rows: row %zu has %zu words, the batch has room for %zu", b,
                lengths[b], places);
        }
        for (size_t i = 0; i < places; i++)
            tokens[b * places + i] = i < lengths[b] ? *words++ : padding;
    }
}
//< pad_rows
