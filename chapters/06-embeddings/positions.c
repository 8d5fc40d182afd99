/* Learned positions: see positions.h. */
#include "06-embeddings/positions.h"

#include "06-embeddings/embedding_layer.h"
#include "06-embeddings/word_positions.h"
#include "base/error.h"
#include "base/memory.h"

//> positions
void position_ids(int *ids, const size_t *first, size_t batch, size_t length) {
    word_positions(ids, NULL, first, batch, length, NO_PADDING);
}

Tensor *positions(Tape *t, Tensor *table, const size_t *first, size_t batch,
                  size_t length) {
    for (size_t b = 0; b < batch; b++) {
        size_t start = first ? first[b] : 0;
        if (start > table->shape[0] || length > table->shape[0] - start) {
            die("positions: row %zu needs positions %zu to %zu, but the table has %zu",
                b, start, start + length - 1, table->shape[0]);
        }
    }
    int *ids = tape_alloc(t, size_mul(batch, length), sizeof *ids);
    position_ids(ids, first, batch, length);
    return embedding(t, table, ids, 2, (size_t[]){batch, length}, NO_PADDING);
}
//< positions
