/* Matrices in tiles of few coefficients, coded and read: see tiles.h. */
#include "14-compression/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "14-compression/stream.h"
#include "math/half.h"
#include "base/memory.h"
#include "base/size.h"

enum { ALPHA_BYTES = RBE_FUNCTIONS * sizeof(uint16_t) };

const TileTables *tile_tables(size_t side) {
    static TileTables tables[3]; /* of 16, 32 and 64 */
    static bool made[3];
    size_t i = side / 32;
#pragma omp critical(tile_tables)
    if (!made[i]) {
        dct_matrix(tables[i].dct, side);
        rbe_basis(tables[i].phi, side);
        made[i] = true;
    }
    return &tables[i];
}

static size_t places_bytes(const Tiles *t) {
    return (t->k * 2 * t->bits + 7) / 8;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static Tiles tiles_layout(const WeightType *type, size_t rows, size_t cols,
                          size_t parameter) {
    Tiles t = {.dct = !begins(type->name, "TOP_K"),
               .rbe = begins(type->name, "RBE"),
               .side = type->block,
               .across = size_ceil_div(cols, type->block),
               .down = size_ceil_div(rows, type->block)};
    while ((size_t)1 << t.bits < t.side) t.bits++;
    t.k = t.rbe ? parameter - RBE_FUNCTIONS : parameter;
    t.tile_bytes =
        (t.rbe ? ALPHA_BYTES : 0) + places_bytes(&t) + t.k * sizeof(uint16_t);
    return t;
}

Tiles tiles_of(const Weight *w) {
    Tiles t = tiles_layout(w->type, w->rows, w->cols, stream_parameter(w->data));
    t.tiles = (const uint8_t *)w->data + STREAM_HEAD;
    return t;
}

static size_t layout_bytes(const Tiles *t) {
    return STREAM_HEAD + size_mul(size_mul(t->across, t->down), t->tile_bytes);
}

const uint8_t *tiles_at(const Tiles *t, size_t tile_row, size_t tile_column) {
    return t->tiles + (tile_row * t->across + tile_column) * t->tile_bytes;
}

size_t tile_place(const Tiles *t, const uint8_t *tile, size_t i) {
    return bits_get(tile + (t->rbe ? ALPHA_BYTES : 0), i, 2 * t->bits);
}

float tile_value(const Tiles *t, const uint8_t *tile, size_t i) {
    return half_to_float(
        half_at(tile + (t->rbe ? ALPHA_BYTES : 0) + places_bytes(t), i));
}

void tile_alpha(float alpha[RBE_FUNCTIONS], const uint8_t *tile) {
    for (size_t k = 0; k < RBE_FUNCTIONS; k++)
        alpha[k] = half_to_float(half_at(tile, k));
}

/* --- coding --- */

/* The tile of m with zeros where m has ended. */
static void copy_tile(float *x, size_t side, const Matrix *m, size_t row,
                      size_t column) {
    memset(x, 0, side * side * sizeof *x);
    for (size_t r = 0; r < side && row + r < m->rows; r++) {
        for (size_t c = 0; c < side && column + c < m->cols; c++)
            x[r * side + c] = m->data[(row + r) * m->cols + column + c];
    }
}

//> encode_tile
static void encode_tile(uint8_t *tile, const Tiles *t, float *x,
                        const TileTables *tables) {
    size_t n = t->side * t->side;
    if (t->rbe) { /* what the rounded parameters leave goes on to the DCT */
        float alpha[RBE_FUNCTIONS];
        rbe_fit(alpha, x, tables->phi, n);
        for (size_t k = 0; k < RBE_FUNCTIONS; k++)
            half_put(tile, k, float_to_half(alpha[k]));
        tile_alpha(alpha, tile);
        for (size_t k = 0; k < RBE_FUNCTIONS; k++) alpha[k] = -alpha[k];
        rbe_add(x, x, alpha, tables->phi, n);
        tile += ALPHA_BYTES;
    }
    float coefficients[MOST_PLACES];
    uint16_t places[MOST_PLACES];
    if (t->dct)
        dct_forward(coefficients, x, tables->dct, t->side);
    else
        memcpy(coefficients, x, n * sizeof *x);
    top_k_places(places, coefficients, n, t->k);
    for (size_t i = 0; i < t->k; i++) {
        bits_put(tile, i, 2 * t->bits, places[i]);
        half_put(tile + places_bytes(t), i, float_to_half(coefficients[places[i]]));
    }
}
//< encode_tile

static void *encode(const Matrix *m, double parameter, const WeightType *type) {
    Tiles t = tiles_layout(type, m->rows, m->cols, (size_t)parameter);
    uint8_t *stream = checked_alloc(layout_bytes(&t), 1);
    stream_begin(stream, (uint32_t)parameter);
    const TileTables *tables = tile_tables(t.side);
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < t.across * t.down; i++) {
        float x[MOST_PLACES];
        copy_tile(x, t.side, m, i / t.across * t.side, i % t.across * t.side);
        encode_tile(stream + STREAM_HEAD + i * t.tile_bytes, &t, x, tables);
    }
    return stream;
}

/* --- reading --- */

static size_t bytes_tiles(const Weight *w) {
    Tiles t = tiles_of(w);
    return layout_bytes(&t);
}

/* One row of a tile: the coefficients' rows are summed up first, then one transform of
 * a row is enough. */
static void read_tile_row(float *out, const Tiles *t, const TileTables *tables,
                          const uint8_t *tile, size_t row) {
    float along[MOST_SIDE] = {0};
    for (size_t i = 0; i < t->k; i++) {
        size_t place = tile_place(t, tile, i), u = place >> t->bits,
               v = place & (t->side - 1);
        if (t->dct)
            along[v] += tables->dct[u * t->side + row] * tile_value(t, tile, i);
        else if (u == row)
            along[v] = tile_value(t, tile, i);
    }
    float alpha[RBE_FUNCTIONS] = {0};
    if (t->rbe) tile_alpha(alpha, tile);
    for (size_t c = 0; c < t->side; c++) {
        double sum = t->dct ? 0 : (double)along[c];
        for (size_t v = 0; v < t->side && t->dct; v++)
            sum += (double)(tables->dct[v * t->side + c] * along[v]);
        for (size_t k = 0; k < RBE_FUNCTIONS && t->rbe; k++)
            sum += (double)alpha[k] * tables->phi[(k * t->side + row) * t->side + c];
        out[c] = (float)sum;
    }
}

static void read_tiles(float *out, const Weight *w, size_t row, size_t first,
                       size_t n) {
    Tiles t = tiles_of(w);
    const TileTables *tables = tile_tables(t.side);
    for (size_t c = 0; c < n; c += t.side) {
        float part[MOST_SIDE];
        read_tile_row(part, &t, tables,
                      tiles_at(&t, row / t.side, (first + c) / t.side), row % t.side);
        memcpy(out + c, part, size_min(n - c, t.side) * sizeof *out);
    }
}

/* --- the types, and what codes a matrix as each --- */

#define TILES(id, NAME, SIDE)                                                          \
    const WeightType weight_##id = {.name = NAME,                                      \
                                    .bytes = bytes_tiles,                              \
                                    .read = read_tiles,                                \
                                    .block = SIDE,                                     \
                                    .multiply_transposed = tiles_multiply_transposed,  \
                                    .most = SIZE_MAX};                                 \
    void *id##_encode(const Matrix *m, double k) {                                     \
        return encode(m, k, &weight_##id);                                             \
    }

TILES(top_k, "TOP_K", 32)
TILES(dct, "DCT", 32)
TILES(dct_16, "DCT_16", 16)
TILES(dct_64, "DCT_64", 64)
TILES(rbe, "RBE", 32)
TILES(rbe_16, "RBE_16", 16)
TILES(rbe_64, "RBE_64", 64)
