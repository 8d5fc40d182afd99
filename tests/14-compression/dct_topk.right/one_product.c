/* D X D^T and D^T X D are one product of three matrices; all cosines are among 128; the
 * largest are taken one by one. */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdbool.h>

void dct_matrix(float d[TILE][TILE]) {
    double cosines[4 * TILE];
    for (int n = 0; n < 4 * TILE; n++) cosines[n] = cos(2 * M_PI * n / (4 * TILE));
    for (int i = 0; i < TILE; i++) {
        d[0][i] = (float)sqrt(1.0 / TILE);
        for (int u = 1; u < TILE; u++)
            d[u][i] = (float)(cosines[(2 * i + 1) * u % (4 * TILE)] / sqrt(TILE / 2));
    }
}

/* out = A X A^T; element [i][j] of A is a[i * down + j * across]. */
static void product(float *out, const float *x, const float *a, int down, int across) {
    double half[TILE][TILE] = {{0}};
    for (int i = 0; i < TILE; i++)
        for (int k = 0; k < TILE; k++)
            for (int j = 0; j < TILE; j++)
                half[i][j] +=
                    (double)a[i * down + k * across] * (double)x[k * TILE + j];
    for (int i = 0; i < TILE; i++) {
        for (int j = 0; j < TILE; j++) {
            double sum = 0;
            for (int k = 0; k < TILE; k++)
                sum += half[i][k] * (double)a[j * down + k * across];
            out[i * TILE + j] = (float)sum;
        }
    }
}

void dct_forward(float out[TILE_SIZE], const float x[TILE_SIZE]) {
    float d[TILE][TILE];
    dct_matrix(d);
    product(out, x, d[0], TILE, 1);
}

void dct_inverse(float out[TILE_SIZE], const float t[TILE_SIZE]) {
    float d[TILE][TILE];
    dct_matrix(d);
    product(out, t, d[0], 1, TILE);
}

void top_k_places(uint16_t places[], const float t[TILE_SIZE], size_t k) {
    bool taken[TILE_SIZE] = {false};
    for (size_t n = 0; n < k; n++) {
        int largest = -1;
        for (int i = 0; i < TILE_SIZE; i++) {
            if (!taken[i] && (largest < 0 || fabsf(t[i]) > fabsf(t[largest])))
                largest = i;
        }
        taken[largest] = true;
    }
    for (uint16_t i = 0; i < TILE_SIZE; i++) {
        if (taken[i]) *places++ = i;
    }
}
