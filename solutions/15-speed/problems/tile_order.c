/* Strips of columns whose panels stay in the cache, beside the panel of A of this row
 * and of the one
 * before. */
#include "15-speed/problems/tile_order.h"

void tile_order(size_t *order, const TileGrid *grid) {
    size_t width = grid->panels - 2;
    for (size_t first = 0; first < grid->across; first += width) {
        for (size_t i = 0; i < grid->down; i++) {
            for (size_t j = first; j < grid->across && j < first + width; j++)
                *order++ = i * grid->across + j;
        }
    }
}
