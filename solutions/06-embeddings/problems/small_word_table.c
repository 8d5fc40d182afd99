/* A narrow table and a matrix that widens it (Lan et al. 2019, ALBERT). Before you read
 * on: make hint-06 P=small_word_table */
#include "06-embeddings/problems/small_word_table.h"

#include "00-tensors/linear.h"
#include "06-embeddings/embedding_layer.h"

enum { NARROW = 4 };

SmallTable small_table_create(Params *params, Random *init) {
    SmallTable table = {
        {params_add(params, 2, (size_t[]){LANGUAGE_WORDS, NARROW}, "wte.weight"),
         params_add(params, 2, (size_t[]){NARROW, DIM}, "widen.weight")}};
    random_fill_normal(init, table.learned[0]->data, LANGUAGE_WORDS * NARROW, 0.3f);
    random_fill_normal(init, table.learned[1]->data, NARROW * DIM, 0.5f);
    return table;
}

/* Each word keeps numbers of its own; all share the map from four numbers to 32. */
Tensor *small_table_rows(Tape *t, const SmallTable *table, const int *words, size_t n) {
    Tensor *narrow =
        embedding(t, table->learned[0], words, 1, (size_t[]){n}, NO_PADDING);
    return linear(t, &(Linear){.weight = table->learned[1]}, narrow);
}
