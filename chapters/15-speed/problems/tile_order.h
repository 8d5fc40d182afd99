/* Open problem 15/tile_order (*): the tiles of a product in an order that fetches few
 * panels */
#ifndef CHAPTER_15_TILE_ORDER_H
#define CHAPTER_15_TILE_ORDER_H

#include <stddef.h>

/* C has down x across tiles. Tile (i, j) needs panel i of A and panel j of B; a cache
 * holds `panels` of them, and gives away the one that was not needed for longest. */
typedef struct {
    size_t down, across, panels;
} TileGrid;

/* order [down * across]: each tile i * across + j once. */
void tile_order(size_t *order, const TileGrid *grid);

#endif
