/* Open problem 15/tile_order. The rules are in
 * chapters/15-speed/problems/tile_order.h. */
#include "15-speed/problems/tile_order.h"

#include "program/problem.h"

/* Row by row: nearly every tile fetches a panel of B. */
void tile_order(size_t *order, const TileGrid *grid) {
    PROBLEM_TODO("15/tile_order");
    for (size_t t = 0; t < grid->down * grid->across; t++) order[t] = t;
}
