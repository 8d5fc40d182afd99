/* Each wave by its recurrence, cos(n a) = 2 cos(a) cos((n - 1) a) - cos((n - 2) a); the
 * way back adds up waves; a coefficient is kept where fewer than k come before it. */
#include "14-compression/dct_topk.h"

#include <math.h>

/* Wave u, orthonormal. */
static void wave(double w[TILE], int u) {
    double angle = acos(-1) * u / TILE,
           scale = sqrt(1.0 / TILE) * (u > 0 ? sqrt(2) : 1);
    double before = cos(angle / 2), now = before; /* cos(-a/2), cos(a/2) */
    for (int i = 0; i < TILE; i++) {
        double next = 2 * cos(angle) * now - before;
        w[i] = scale * now;
        before = now;
        now = next;
    }
}

void dct_matrix(float d[TILE][TILE]) {
    for (int u = 0; u < TILE; u++) {
        double w[TILE];
        wave(w, u);
        for (int i = 0; i < TILE; i++) d[u][i] = (float)w[i];
    }
}

void dct_forward(float out[TILE_SIZE], const float x[TILE_SIZE]) {
    double down[TILE], across[TILE];
    for (int place = 0; place < TILE_SIZE; place++) {
        double sum = 0;
        wave(down, place / TILE);
        wave(across, place % TILE);
        for (int i = 0; i < TILE_SIZE; i++)
            sum += (double)x[i] * down[i / TILE] * across[i % TILE];
        out[place] = (float)sum;
    }
}

void dct_inverse(float out[TILE_SIZE], const float t[TILE_SIZE]) {
    double sums[TILE_SIZE] = {0}, down[TILE], across[TILE];
    for (int place = 0; place < TILE_SIZE; place++) {
        wave(down, place / TILE);
        wave(across, place % TILE);
        for (int i = 0; i < TILE_SIZE; i++)
            sums[i] += (double)t[place] * down[i / TILE] * across[i % TILE];
    }
    for (int i = 0; i < TILE_SIZE; i++) out[i] = (float)sums[i];
}

void top_k_places(uint16_t places[], const float t[TILE_SIZE], size_t k) {
    size_t n = 0;
    for (int i = 0; i < TILE_SIZE; i++) {
        size_t before = 0;
        for (int j = 0; j < TILE_SIZE; j++)
            before +=
                fabsf(t[j]) > fabsf(t[i]) || (fabsf(t[j]) == fabsf(t[i]) && j < i);
        if (before < k) places[n++] = (uint16_t)i;
    }
}
