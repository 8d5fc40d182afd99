/* Matrices in tiles of few coefficients, coded and read: see tiles.h. */
#include "14-compression/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "14-compression/stream.h"
#include "math/half.h"
#include "base/memory.h"

enum { PLACE_BITS = 10, ALPHA_BYTES = RBE_FUNCTIONS * sizeof(uint16_t) };

const TileTables *tile_tables(void) {
    static TileTables tables;
    static bool made;
#pragma omp critical(tile_tables)
    if (!made) {
        dct_matrix(tables.dct);
        rbe_basis(tables.phi);
        made = true;
    }
    return &tables;
}

static size_t places_bytes(size_t k) {
    return (k * PLACE_BITS + 7) / 8;
}

static Tiles tiles_layout(const WeightType *type, size_t rows, size_t cols,
                          size_t parameter) {
    bool rbe = type == &weight_rbe;
    size_t k = rbe ? parameter - RBE_FUNCTIONS : parameter;
    return (Tiles){.dct = type != &weight_top_k,
                   .rbe = rbe,
                   .k = k,
                   .across = (cols + TILE - 1) / TILE,
                   .down = (rows + TILE - 1) / TILE,
                   .tile_bytes = (rbe ? ALPHA_BYTES : 0) + places_bytes(k) +
                                 k * sizeof(uint16_t)};
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
    return bits_get(tile + (t->rbe ? ALPHA_BYTES : 0), i, PLACE_BITS);
}

float tile_value(const Tiles *t, const uint8_t *tile, size_t i) {
    return half_to_float(
        half_at(tile + (t->rbe ? ALPHA_BYTES : 0) + places_bytes(t->k), i));
}

void tile_alpha(float alpha[RBE_FUNCTIONS], const uint8_t *tile) {
    for (size_t k = 0; k < RBE_FUNCTIONS; k++)
        alpha[k] = half_to_float(half_at(tile, k));
}

/* --- coding --- */

/* The tile of m with zeros where m has ended. */
static void copy_tile(float x[TILE_SIZE], const Matrix *m, size_t row, size_t column) {
    memset(x, 0, TILE_SIZE * sizeof *x);
    for (size_t r = 0; r < TILE && row + r < m->rows; r++) {
        for (size_t c = 0; c < TILE && column + c < m->cols; c++)
            x[r * TILE + c] = m->data[(row + r) * m->cols + column + c];
    }
}

//> encode_tile
static void encode_tile(uint8_t *tile, const Tiles *t, float x[TILE_SIZE],
                        double phi[RBE_FUNCTIONS][TILE_SIZE]) {
    if (t->rbe) { /* what the rounded parameters leave goes on to the DCT */
        float alpha[RBE_FUNCTIONS];
        rbe_fit(alpha, x, phi);
        for (size_t k = 0; k < RBE_FUNCTIONS; k++)
            half_put(tile, k, float_to_half(alpha[k]));
        tile_alpha(alpha, tile);
        for (size_t k = 0; k < RBE_FUNCTIONS; k++) alpha[k] = -alpha[k];
        rbe_add(x, x, alpha, phi);
        tile += ALPHA_BYTES;
    }
    float coefficients[TILE_SIZE];
    uint16_t places[TILE_SIZE];
    if (t->dct)
        dct_forward(coefficients, x);
    else
        memcpy(coefficients, x, sizeof coefficients);
    top_k_places(places, coefficients, t->k);
    for (size_t i = 0; i < t->k; i++) {
        bits_put(tile, i, PLACE_BITS, places[i]);
        half_put(tile + places_bytes(t->k), i, float_to_half(coefficients[places[i]]));
    }
}
//< encode_tile

static void *encode(const Matrix *m, double parameter, const WeightType *type) {
    Tiles t = tiles_layout(type, m->rows, m->cols, (size_t)parameter);
    uint8_t *stream = checked_alloc(layout_bytes(&t), 1);
    stream_begin(stream, (uint32_t)parameter);
    TileTables tables = *tile_tables();
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < t.across * t.down; i++) {
        float x[TILE_SIZE];
        copy_tile(x, m, i / t.across * TILE, i % t.across * TILE);
        encode_tile(stream + STREAM_HEAD + i * t.tile_bytes, &t, x, tables.phi);
    }
    return stream;
}

void *top_k_encode(const Matrix *m, double k) {
    return encode(m, k, &weight_top_k);
}

void *dct_encode(const Matrix *m, double k) {
    return encode(m, k, &weight_dct);
}

void *rbe_encode(const Matrix *m, double k) {
    return encode(m, k, &weight_rbe);
}

/* --- reading --- */

static size_t bytes_tiles(const Weight *w) {
    Tiles t = tiles_of(w);
    return layout_bytes(&t);
}

/* One row of a tile: the coefficients' rows are summed up first, then one transform of
 * a row is enough. */
static void read_tile_row(float out[TILE], const Tiles *t, const TileTables *tables,
                          const uint8_t *tile, size_t row) {
    float along[TILE] = {0};
    for (size_t i = 0; i < t->k; i++) {
        size_t place = tile_place(t, tile, i), u = place / TILE, v = place % TILE;
        if (t->dct)
            along[v] += tables->dct[u][row] * tile_value(t, tile, i);
        else if (u == row)
            along[v] = tile_value(t, tile, i);
    }
    float alpha[RBE_FUNCTIONS] = {0};
    if (t->rbe) tile_alpha(alpha, tile);
    for (size_t c = 0; c < TILE; c++) {
        double sum = t->dct ? 0 : (double)along[c];
        for (size_t v = 0; v < TILE && t->dct; v++)
            sum += (double)(tables->dct[v][c] * along[v]);
        for (size_t k = 0; k < RBE_FUNCTIONS && t->rbe; k++)
            sum += (double)alpha[k] * tables->phi[k][row * TILE + c];
        out[c] = (float)sum;
    }
}

static void read_tiles(float *out, const Weight *w, size_t row, size_t first,
                       size_t n) {
    Tiles t = tiles_of(w);
    const TileTables *tables = tile_tables();
    for (size_t c = 0; c < n; c += TILE) {
        float part[TILE];
        read_tile_row(part, &t, tables, tiles_at(&t, row / TILE, (first + c) / TILE),
                      row % TILE);
        memcpy(out + c, part, (n - c < TILE ? n - c : TILE) * sizeof *out);
    }
}

const WeightType weight_top_k = {.name = "TOP_K",
                                 .bytes = bytes_tiles,
                                 .read = read_tiles,
                                 .block = TILE,
                                 .multiply_transposed = tiles_multiply_transposed,
                                 .most = SIZE_MAX};
const WeightType weight_dct = {.name = "DCT",
                               .bytes = bytes_tiles,
                               .read = read_tiles,
                               .block = TILE,
                               .multiply_transposed = tiles_multiply_transposed,
                               .most = SIZE_MAX};
const WeightType weight_rbe = {.name = "RBE",
                               .bytes = bytes_tiles,
                               .read = read_tiles,
                               .block = TILE,
                               .multiply_transposed = tiles_multiply_transposed,
                               .most = SIZE_MAX};
