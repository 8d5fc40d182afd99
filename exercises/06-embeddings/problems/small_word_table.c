/* Open problem 06/small_word_table. The rules are in
 * chapters/06-embeddings/problems/small_word_table.h. */
#include "06-embeddings/problems/small_word_table.h"

#include "06-embeddings/embedding_layer.h"
#include "program/problem.h"

enum { ROWS = MOST_NUMBERS / DIM };

/* Seven words share a row. */
SmallTable small_table_create(Params *params, Random *init) {
    PROBLEM_TODO("06/small_word_table");
    SmallTable table = {{params_add(params, 2, (size_t[]){ROWS, DIM}, "wte.weight")}};
    random_fill_normal(init, table.learned[0]->data, ROWS * DIM, 0.3f);
    return table;
}

Tensor *small_table_rows(Tape *t, const SmallTable *table, const int *words, size_t n) {
    int *rows = tape_alloc(t, n, sizeof *rows);
    for (size_t i = 0; i < n; i++) rows[i] = words[i] % ROWS;
    return embedding(t, table->learned[0], rows, 1, (size_t[]){n}, NO_PADDING);
}
