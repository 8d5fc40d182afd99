/* Position tables by kind: see position_kind.h. */
#include "06-embeddings/experiments/position_kind.h"

#include "06-embeddings/sinusoidal.h"

const char *const position_kind_names[POSITION_KINDS] = {"none", "learned",
                                                         "sinusoidal", "distance"};

Tensor *position_table(PositionKind kind, Params *learned, Params *fixed, Random *init,
                       size_t n, size_t dim, float std) {
    if (kind == POSITIONS_NONE) return NULL;
    bool drawn = kind == POSITIONS_LEARNED;
    Tensor *table =
        params_add(drawn ? learned : fixed, 2, (size_t[]){n, dim}, "wpe.weight");
    if (drawn)
        random_fill_normal(init, table->data, n * dim, std);
    else
        sinusoidal_table(table->data, n, dim);
    return table;
}
