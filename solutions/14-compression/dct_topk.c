/* The DCT of a block, and its largest coefficients. Before you read on: make hint-14
 * EX=dct_topk */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void dct_matrix(float *d, size_t side) {
    const double pi = 3.14159265358979323846;
    int n = (int)side;
    for (int u = 0; u < n; u++) {
        double scale = sqrt((u == 0 ? 1.0 : 2.0) / n);
        for (int i = 0; i < n; i++)
            d[u * n + i] = (float)(scale * cos(pi * (2 * i + 1) * u / (2.0 * n)));
    }
}

/* to = (A from)^T, where A is D, or D^T for the inverse. */
static void multiply(float *to, const float *from, const float *d, size_t side,
                     bool inverse) {
    for (size_t u = 0; u < side; u++) {
        for (size_t j = 0; j < side; j++) {
            double sum = 0;
            for (size_t i = 0; i < side; i++) {
                float a = inverse ? d[i * side + u] : d[u * side + i];
                sum += (double)a * (double)from[i * side + j];
            }
            to[j * side + u] = (float)sum;
        }
    }
}

/* A X A^T is A (A X)^T, transposed: the columns first, then the rows. */
static void transform(float *out, const float *x, const float *d, size_t side,
                      bool inverse) {
    float half[MOST_PLACES];
    multiply(half, x, d, side, inverse);
    multiply(out, half, d, side, inverse);
}

void dct_forward(float *out, const float *x, const float *d, size_t side) {
    transform(out, x, d, side, false);
}

void dct_inverse(float *out, const float *t, const float *d, size_t side) {
    transform(out, t, d, side, true);
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

void top_k_places(uint16_t *places, const float *t, size_t n, size_t k) {
    Ranked all[MOST_PLACES];
    for (size_t i = 0; i < n; i++) all[i] = (Ranked){fabsf(t[i]), (uint16_t)i};
    qsort(all, n, sizeof *all, larger_first);
    for (size_t i = 0; i < k; i++) places[i] = all[i].place;
    qsort(places, k, sizeof *places, ascending);
}
