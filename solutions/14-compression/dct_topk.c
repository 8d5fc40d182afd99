/* The DCT of a block, and its largest coefficients. Before you read on: make hint-14
 * EX=dct_topk */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void dct_matrix(float d[TILE][TILE]) {
    const double pi = 3.14159265358979323846;
    for (int u = 0; u < TILE; u++) {
        double scale = sqrt((u == 0 ? 1.0 : 2.0) / TILE);
        for (int i = 0; i < TILE; i++)
            d[u][i] = (float)(scale * cos(pi * (2 * i + 1) * u / (2.0 * TILE)));
    }
}

/* to = (A from)^T, where A is D, or D^T for the inverse. */
static void multiply(float to[TILE_SIZE], const float from[TILE_SIZE], bool inverse) {
    /* the same for every tile, so each thread computes it once */
    static _Thread_local float d[TILE][TILE];
    if (d[0][0] == 0) dct_matrix(d);
    for (int u = 0; u < TILE; u++) {
        for (int j = 0; j < TILE; j++) {
            double sum = 0;
            for (int i = 0; i < TILE; i++) {
                float a = inverse ? d[i][u] : d[u][i];
                sum += (double)a * (double)from[i * TILE + j];
            }
            to[j * TILE + u] = (float)sum;
        }
    }
}

/* A X A^T is A (A X)^T, transposed: the columns first, then the rows. */
static void transform(float out[TILE_SIZE], const float x[TILE_SIZE], bool inverse) {
    float half[TILE_SIZE];
    multiply(half, x, inverse);
    multiply(out, half, inverse);
}

void dct_forward(float out[TILE_SIZE], const float x[TILE_SIZE]) {
    transform(out, x, false);
}

void dct_inverse(float out[TILE_SIZE], const float t[TILE_SIZE]) {
    transform(out, t, true);
}

/* --- the largest --- */

typedef struct {
    float size;
    uint16_t place;
} Ranked;

static int larger_first(const void *a, const void *b) {
    const Ranked *s = a, *t = b;
    if (s->size != t->size) return s->size > t->size ? -1 : 1;
    return s->place < t->place ? -1 : 1;
}

static int ascending(const void *a, const void *b) {
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

void top_k_places(uint16_t places[], const float t[TILE_SIZE], size_t k) {
    Ranked all[TILE_SIZE];
    for (int i = 0; i < TILE_SIZE; i++) all[i] = (Ranked){fabsf(t[i]), (uint16_t)i};
    qsort(all, TILE_SIZE, sizeof *all, larger_first);
    for (size_t i = 0; i < k; i++) places[i] = all[i].place;
    qsort(places, k, sizeof *places, ascending);
}
