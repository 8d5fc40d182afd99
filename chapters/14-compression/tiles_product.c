/* A vector times tiles of few coefficients, without decoding one: see tiles.h.
 *
 * With tile IJ = D^T S_IJ D + sum_k alpha_k Phi_k, the outputs of tile row I are
 *
 *     y_I = D^T (sum_J S_IJ u_J) + sum_J sum_k alpha_k^IJ (Phi_k x_J),  u_J = D x_J.
 *
 * u_J and Phi_k x_J are computed once for all tile rows; a tile then takes K
 * multiply-adds, and 8 * side for RBE. */
#include <stdlib.h>
#include <string.h>

#include "14-compression/tiles.h"
#include "base/memory.h"
#include "base/size.h"

/* u_J and Phi_k x_J of one tile column, shared by all tile rows. */
typedef struct {
    float u[MOST_SIDE];
    float phi[RBE_FUNCTIONS][MOST_SIDE];
} Prepared;

static void prepare(Prepared *p, const Tiles *t, const TileTables *tables,
                    const float x[MOST_SIDE]) {
    memcpy(p->u, x, sizeof p->u);
    for (size_t u = 0; u < t->side && t->dct; u++) {
        float sum = 0;
        for (size_t c = 0; c < t->side; c++) sum += tables->dct[u * t->side + c] * x[c];
        p->u[u] = sum;
    }
    for (size_t k = 0; k < RBE_FUNCTIONS && t->rbe; k++) {
        for (size_t r = 0; r < t->side; r++) {
            double sum = 0;
            for (size_t c = 0; c < t->side; c++)
                sum += tables->phi[(k * t->side + r) * t->side + c] * (double)x[c];
            p->phi[k][r] = (float)sum;
        }
    }
}

/* y [side] of one tile row. */
static void multiply_tile_row(float y[MOST_SIDE], const Tiles *t,
                              const TileTables *tables, const Prepared *prepared,
                              size_t tile_row) {
    float sums[MOST_SIDE] = {0}; /* sum_J S_IJ u_J */
    memset(y, 0, t->side * sizeof *y);
    for (size_t j = 0; j < t->across; j++) {
        const uint8_t *tile = tiles_at(t, tile_row, j);
        for (size_t i = 0; i < t->k; i++) {
            size_t place = tile_place(t, tile, i);
            sums[place >> t->bits] +=
                tile_value(t, tile, i) * prepared[j].u[place & (t->side - 1)];
        }
        if (t->rbe) {
            float alpha[RBE_FUNCTIONS];
            tile_alpha(alpha, tile);
            for (size_t k = 0; k < RBE_FUNCTIONS; k++) {
                for (size_t r = 0; r < t->side; r++)
                    y[r] += alpha[k] * prepared[j].phi[k][r];
            }
        }
    }
    for (size_t r = 0; r < t->side; r++) {
        if (t->dct) {
            for (size_t u = 0; u < t->side; u++)
                y[r] += tables->dct[u * t->side + r] * sums[u];
        } else {
            y[r] += sums[r];
        }
    }
}

void tiles_multiply_transposed(float *out, const float *x, const Weight *w,
                               const float *bias, size_t n) {
    Tiles t = tiles_of(w);
    const TileTables *tables = tile_tables(t.side);
    Prepared *prepared = checked_alloc(t.across, sizeof *prepared);
    for (size_t i = 0; i < n; i++, x += w->cols, out += w->rows) {
        for (size_t j = 0; j < t.across; j++) {
            float part[MOST_SIDE] = {0};
            size_t left = size_min(w->cols - j * t.side, t.side);
            memcpy(part, x + j * t.side, left * sizeof *part);
            prepare(&prepared[j], &t, tables, part);
        }
#pragma omp parallel for schedule(dynamic)
        for (size_t row = 0; row < t.down; row++) {
            float y[MOST_SIDE];
            multiply_tile_row(y, &t, tables, prepared, row);
            for (size_t r = 0; r < t.side && row * t.side + r < w->rows; r++) {
                size_t o = row * t.side + r;
                out[o] = bias ? bias[o] + y[r] : y[r];
            }
        }
    }
    free(prepared);
}
