/* Each wave by its recurrence, cos(n a) = 2 cos(a) cos((n - 1) a) - cos((n - 2) a); the
 * way back adds up waves; a coefficient is kept where fewer than k come before it. */
#include "14-compression/dct_topk.h"

#include <math.h>

/* Wave u, orthonormal. */
static void wave(float *w, size_t side, size_t u) {
    double angle = acos(-1) * (double)u / (double)side,
           scale = sqrt(1 / (double)side) * (u > 0 ? sqrt(2) : 1);
    double before = cos(angle / 2), now = before; /* cos(-a/2), cos(a/2) */
    for (size_t i = 0; i < side; i++) {
        double next = 2 * cos(angle) * now - before;
        w[i] = (float)(scale * now);
        before = now;
        now = next;
    }
}

void dct_matrix(float *d, size_t side) {
    for (size_t u = 0; u < side; u++) wave(d + u * side, side, u);
}

void dct_forward(float *out, const float *x, const float *d, size_t side) {
    for (size_t place = 0; place < side * side; place++) {
        const float *down = d + place / side * side, *across = d + place % side * side;
        double sum = 0;
        for (size_t i = 0; i < side * side; i++)
            sum += (double)x[i] * (double)down[i / side] * (double)across[i % side];
        out[place] = (float)sum;
    }
}

void dct_inverse(float *out, const float *t, const float *d, size_t side) {
    double sums[MOST_PLACES] = {0};
    for (size_t place = 0; place < side * side; place++) {
        const float *down = d + place / side * side, *across = d + place % side * side;
        for (size_t i = 0; i < side * side; i++)
            sums[i] +=
                (double)t[place] * (double)down[i / side] * (double)across[i % side];
    }
    for (size_t i = 0; i < side * side; i++) out[i] = (float)sums[i];
}

void top_k_places(uint16_t *places, const float *t, size_t n, size_t k) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        for (size_t j = 0; j < n; j++)
            before +=
                fabsf(t[j]) > fabsf(t[i]) || (fabsf(t[j]) == fabsf(t[i]) && j < i);
        if (before < k) places[found++] = (uint16_t)i;
    }
}
