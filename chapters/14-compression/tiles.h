/* Matrices in tiles of 16 x 16, 32 x 32 or 64 x 64, each stored as its K largest
 * coefficients: as they are (pruning), of the DCT, or of the DCT of what RBE's eight
 * functions leave. Tiles at the edge are filled up with zeros.
 *
 * A tile takes [8 float16 of RBE], K places of 8, 10 or 12 bits and K float16. The
 * product with a vector never decodes: see tiles_product.c. */
#ifndef CHAPTER_14_TILES_H
#define CHAPTER_14_TILES_H

#include "14-compression/codec.h"
#include "14-compression/dct_topk.h"
#include "14-compression/rbe_fit.h"

/* The side of the tiles is the type's block, 32 where the name says no other. */
extern const WeightType weight_top_k, weight_dct, weight_dct_16, weight_dct_64,
    weight_rbe, weight_rbe_16, weight_rbe_64;

/* RBE's K counts the eight parameters, as in the source: K - 8 coefficients. */
typedef void *TileEncode(const Matrix *m, double k);
TileEncode top_k_encode, dct_encode, dct_16_encode, dct_64_encode, rbe_encode,
    rbe_16_encode, rbe_64_encode;

/* For tiles_product.c: where things are in a coded matrix. */
typedef struct {
    bool dct, rbe;
    unsigned bits; /* of a row or a column in a tile: its side is 2^bits */
    /* coefficients a tile; tiles side by side, and one below the other */
    size_t side, k, across, down;
    size_t tile_bytes;
    const uint8_t *tiles;
} Tiles;
Tiles tiles_of(const Weight *w);

/* Coefficient i of a tile: its place in the tile and its value; and the tile's eight
 * parameters. */
const uint8_t *tiles_at(const Tiles *t, size_t tile_row, size_t tile_column);
size_t tile_place(const Tiles *t, const uint8_t *tile, size_t i);
float tile_value(const Tiles *t, const uint8_t *tile, size_t i);
void tile_alpha(float alpha[RBE_FUNCTIONS], const uint8_t *tile);

/* The tables that all tiles of a side share, computed once. */
typedef struct {
    float dct[MOST_PLACES];                  /* [side, side] */
    double phi[RBE_FUNCTIONS * MOST_PLACES]; /* [RBE_FUNCTIONS, side * side] */
} TileTables;
const TileTables *tile_tables(size_t side);

/* out [n, rows] (+)= x [n, cols] W^T through the transformed vectors: K multiply-adds a
 * tile. Sums have another order than those of the decoded floats, the same for any n
 * and any number of threads. */
WeightProduct tiles_multiply_transposed;

#endif
