/* Matrices in tiles of 32 x 32, each stored as its K largest coefficients: as they are
 * (pruning), of the DCT, or of the DCT of what RBE's eight functions leave. Tiles at
 * the edge are filled up with zeros.
 *
 * A tile takes [8 float16 of RBE], K places of 10 bits and K float16. The product with
 * a vector never decodes: see tiles_product.c. */
#ifndef CHAPTER_14_TILES_H
#define CHAPTER_14_TILES_H

#include "14-compression/codec.h"
#include "14-compression/dct_topk.h"
#include "14-compression/rbe_fit.h"

extern const WeightType weight_top_k, weight_dct, weight_rbe;

void *top_k_encode(const Matrix *m, double k);
void *dct_encode(const Matrix *m, double k);

/* K counts the eight parameters, as in the source: K - 8 coefficients. */
void *rbe_encode(const Matrix *m, double k);

/* For tiles_product.c: where things are in a coded matrix. */
typedef struct {
    bool dct, rbe;
    /* coefficients a tile; tiles side by side, and one below the other */
    size_t k, across, down;
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

/* The tables that all tiles share, computed once. */
typedef struct {
    float dct[TILE][TILE];
    double phi[RBE_FUNCTIONS][TILE_SIZE];
} TileTables;
const TileTables *tile_tables(void);

/* out [n, rows] (+)= x [n, cols] W^T through the transformed vectors: K multiply-adds a
 * tile. Sums have another order than those of the decoded floats, the same for any n
 * and any number of threads. */
WeightProduct tiles_multiply_transposed;

#endif
