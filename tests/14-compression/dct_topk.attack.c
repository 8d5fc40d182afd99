/* An attack on 14/dct_topk: the definition in double, the way there and the way back
 * each by itself, on noise; and the largest of numbers among which many are equal, from
 * none to all, in the header's order. */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

static double d_right(int u, int i) {
    return sqrt((u == 0 ? 1.0 : 2.0) / TILE) *
           cos(acos(-1) * (2 * i + 1) * u / (2 * TILE));
}

Test(attack, the_matrix) {
    float d[TILE][TILE];
    double right[TILE_SIZE];
    for (int i = 0; i < TILE_SIZE; i++) right[i] = d_right(i / TILE, i % TILE);
    dct_matrix(d);
    CHECK_CLOSE("D", d[0], right, TILE_SIZE, 1e-6);
}

/* out = A x A^T with A = D, or its transpose. */
static void transform(double *out, const float *x, bool back) {
    double a[TILE][TILE], half[TILE][TILE] = {{0}};
    for (int i = 0; i < TILE_SIZE; i++)
        a[i / TILE][i % TILE] =
            back ? d_right(i % TILE, i / TILE) : d_right(i / TILE, i % TILE);
    memset(out, 0, TILE_SIZE * sizeof *out);
    for (int i = 0; i < TILE; i++)
        for (int j = 0; j < TILE_SIZE; j++)
            half[i][j % TILE] += a[i][j / TILE] * (double)x[j];
    for (int i = 0; i < TILE_SIZE; i++)
        for (int k = 0; k < TILE; k++) out[i] += half[i / TILE][k] * a[i % TILE][k];
}

Test(attack, there_and_back) {
    float *x = normal_floats(TILE_SIZE, 1, 1), *out = nan_floats(TILE_SIZE);
    double right[TILE_SIZE];
    transform(right, x, false);
    dct_forward(out, x);
    CHECK_CLOSE("D X D^T", out, right, TILE_SIZE, 1e-5);
    transform(right, x, true);
    dct_inverse(out, x);
    CHECK_CLOSE("D^T X D", out, right, TILE_SIZE, 1e-5);
}

static void check_largest(const float *t, size_t k) {
    uint16_t places[TILE_SIZE + 1];
    size_t n = 0;
    memset(places, 0xff, sizeof places);
    top_k_places(places, t, k);
    for (int i = 0; i < TILE_SIZE; i++) {
        size_t before = 0;
        for (int j = 0; j < TILE_SIZE; j++)
            before +=
                fabsf(t[j]) > fabsf(t[i]) || (j < i && fabsf(t[j]) == fabsf(t[i]));
        if (before >= k) continue;
        CHECK(places[n] == i, "number %zu of the %zu largest is %u, expected %d", n, k,
              places[n], i);
        n++;
    }
    CHECK(places[k] == 0xffff, "more than %zu places are written", k);
}

Test(attack, from_none_to_all) {
    float t[TILE_SIZE];
    for (int i = 0; i < TILE_SIZE; i++) t[i] = 0.25f * (float)(i * 389 % 100 - 50);
    for (size_t k = 0; k < 8; k++) check_largest(t, k);
    check_largest(t, TILE_SIZE / 2);
    check_largest(t, TILE_SIZE);
}
