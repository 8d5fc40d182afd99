/* The DCT of a block, and its largest coefficients. Before you read on: make hint-14
 * EX=dct_topk */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdlib.h>

void dct_matrix(float d[TILE][TILE]) {
    const double pi = 3.14159265358979323846;
    for (int u = 0; u < TILE; u++) {
        double scale = sqrt((u == 0 ? 1.0 : 2.0) / TILE);
        for (int i = 0; i < TILE; i++)
            d[u][i] = (float)(scale * cos(pi * (2 * i + 1) * u / (2.0 * TILE)));
    }
}

/* out = A X B^T, where A and B are D or D^T: `inverse` takes D^T. */
static void transform(float out[TILE_SIZE], const float x[TILE_SIZE], int inverse) {
    float d[TILE][TILE], half[TILE_SIZE];
    dct_matrix(d);
    for (int pass = 0; pass < 2;
         pass++) { /* the columns, then the rows: the result turned over each time */
        const float *from = pass == 0 ? x : half;
        float *to = pass == 0 ? half : out;
        for (int u = 0; u < TILE; u++) {
            for (int j = 0; j < TILE; j++) {
                double sum = 0;
                for (int i = 0; i < TILE; i++)
                    sum += (double)(inverse ? d[i][u] : d[u][i]) *
                           (double)from[i * TILE + j];
                to[j * TILE + u] = (float)sum;
            }
        }
    }
}

void dct_forward(float out[TILE_SIZE], const float x[TILE_SIZE]) {
    transform(out, x, 0);
}

void dct_inverse(float out[TILE_SIZE], const float t[TILE_SIZE]) {
    transform(out, t, 1);
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
