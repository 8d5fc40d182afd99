/* Tests of exercise 14/dct_topk. */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"

/* The mistake that gives row u of D this square, which should be 1. */
static const char *wrong_square(int u, double square) {
    if (fabs(square - 16) < 0.1 || fabs(square - 32) < 0.1)
        return ": D is not normalized";
    if (square == 0) return ": all of it is 0 (2 / TILE is, in whole numbers)";
    if (u == 0 && fabs(square - 2) < 0.01)
        return ": row 0 has the factor of the others";
    return "";
}

/* D D^T in double. */
Test(dct_topk, the_matrix_is_orthonormal, .timeout = 10) {
    float d[TILE][TILE];
    for (int u = 0; u < TILE; u++)
        for (int i = 0; i < TILE; i++) d[u][i] = NAN;
    dct_matrix(d);
    for (int u = 0; u < TILE; u++) {
        for (int v = 0; v < TILE; v++) {
            double dot = 0;
            for (int i = 0; i < TILE; i++) dot += (double)d[u][i] * (double)d[v][i];
            const char *mistake = u == v ? wrong_square(u, dot) : "";
            CHECK(fabs(dot - (u == v)) < 1e-6,
                  "row %d times row %d of D is %.7f, expected %d%s", u, v, dot, u == v,
                  mistake);
        }
    }
}

/* The definition in double: t[u][v] = sum_ij d_ui x_ij d_vj. */
static double d[TILE][TILE];

static void fill_d(void) {
    const double pi = 3.14159265358979323846;
    for (int u = 0; u < TILE; u++)
        for (int i = 0; i < TILE; i++)
            d[u][i] = sqrt((u ? 2.0 : 1.0) / TILE) * cos(pi * (2 * i + 1) * u / 64);
}

static double *slow_dct(const float *x, bool rows_only) {
    double *t = calloc(TILE_SIZE, sizeof *t), *half = calloc(TILE_SIZE, sizeof *half);
    fill_d();
    for (int r = 0; r < TILE; r++)
        for (int v = 0; v < TILE; v++)
            for (int j = 0; j < TILE; j++)
                half[r * TILE + v] += (double)x[r * TILE + j] * d[v][j];
    if (rows_only) return half;
    for (int u = 0; u < TILE; u++)
        for (int v = 0; v < TILE; v++)
            for (int i = 0; i < TILE; i++)
                t[u * TILE + v] += d[u][i] * half[i * TILE + v];
    free(half);
    return t;
}

/* T[u][v] is D[u][i] * (X D^T)[i][v] summed over i; see known.h. */
static void know_pass(const float *x, const double *rows) {
    double *columns = checked_alloc(TILE_SIZE, sizeof *columns);
    for (size_t n = 0; n < TILE_SIZE; n++)
        for (size_t i = 0; i < TILE; i++)
            columns[n] += d[n / TILE][i] * (double)x[i * TILE + n % TILE];
    AXES({"u", "TILE", TILE}, {"v", "TILE", TILE}, {"i", "TILE", TILE});
    KNOW_AS("X", x, "u v");
    KNOW_AS("D", &d[0][0], "u i");
    KNOW_AS("X D^T", rows, "i v");
    KNOW_AS("D X", columns, "u i");
    know_shape("T", "u v");
}

/* A X B in double, where A and B are D or its transpose. */
static double *product(const float *x, bool left_transposed, bool right_transposed) {
    double *half = checked_alloc(TILE_SIZE, sizeof *half),
           *out = checked_alloc(TILE_SIZE, sizeof *out);
    for (int n = 0; n < TILE_SIZE; n++)
        for (int i = 0, u = n / TILE; i < TILE; i++)
            half[n] +=
                (left_transposed ? d[i][u] : d[u][i]) * (double)x[i * TILE + n % TILE];
    for (int n = 0; n < TILE_SIZE; n++)
        for (int j = 0, v = n % TILE; j < TILE; j++)
            out[n] +=
                half[n / TILE * TILE + j] * (right_transposed ? d[v][j] : d[j][v]);
    free(half);
    return out;
}

/* A X A^T, A being D or D^T, where the second product is written over the first one
 * while that is still read: by rows after A X, or by columns after X A^T. */
static double *in_place(const float *x, bool transposed, bool by_rows) {
    double *out = checked_alloc(TILE_SIZE, sizeof *out);
    /* along a line, and to the next one */
    size_t next = by_rows ? 1 : TILE, apart = by_rows ? TILE : 1;
    for (size_t n = 0; n < TILE_SIZE; n++)
        for (size_t i = 0, u = n / TILE, j = n % TILE; i < TILE; i++)
            out[u * apart + j * next] +=
                (transposed ? d[i][u] : d[u][i]) * (double)x[i * apart + j * next];
    for (size_t n = 0; n < TILE_SIZE; n++) {
        double sum = 0, *line = out + n / TILE * apart;
        for (size_t i = 0, v = n % TILE; i < TILE; i++)
            sum += (transposed ? d[i][v] : d[v][i]) * line[i * next];
        line[n % TILE * next] = sum;
    }
    return out;
}

static const char IN_PLACE[] =
    "the second product is written where the first one is still read: it takes another "
    "array";

Test(dct_topk, forward, .timeout = 10) {
    float *x = normal_floats(TILE_SIZE, 1, 1), *t = nan_floats(TILE_SIZE);
    double *expected = slow_dct(x, false), *rows = slow_dct(x, true),
           *transposed = calloc(TILE_SIZE, sizeof *transposed);
    for (int i = 0; i < TILE_SIZE; i++)
        transposed[i] = expected[i % TILE * TILE + i / TILE];
    double *right_plain = product(x, false, false),
           *left_transposed = product(x, true, true);
    dct_forward(t, x);
    know_pass(x, rows);
    CHECK_CLOSE(
        "T", t, expected, TILE_SIZE, 1e-6, {"only the rows are transformed", rows},
        {"the result is transposed", transposed},
        {"the factor on the right is not transposed: D X D", right_plain},
        {"the factor on the left is transposed, too: D^T X D^T", left_transposed},
        {IN_PLACE, in_place(x, false, true)}, {IN_PLACE, in_place(x, false, false)});
    free(x);
    free(t);
    free(expected);
    free(rows);
    free(transposed);
    free(right_plain);
    free(left_transposed);
}

/* X[i][j] is D[u][i] * (T D)[u][j] summed over u. */
static void know_inverse(const float *t) {
    double *rows = checked_alloc(TILE_SIZE, sizeof *rows),
           *columns = checked_alloc(TILE_SIZE, sizeof *columns);
    for (size_t n = 0; n < TILE_SIZE; n++) {
        for (size_t v = 0; v < TILE; v++) {
            rows[n] += (double)t[n / TILE * TILE + v] * d[v][n % TILE];
            columns[n] += d[v][n / TILE] * (double)t[v * TILE + n % TILE];
        }
    }
    AXES({"i", "TILE", TILE}, {"j", "TILE", TILE}, {"u", "TILE", TILE});
    know_shape("X", "i j");
    KNOW_AS("D", &d[0][0], "u i");
    KNOW_AS("T D", rows, "u j");
    KNOW_AS("D^T T", columns, "i u");
}

Test(dct_topk, inverse, .timeout = 10) {
    float *x = normal_floats(TILE_SIZE, 1, 1), *t = nan_floats(TILE_SIZE),
          *back = nan_floats(TILE_SIZE);
    double *there = slow_dct(x, false); /* not dct_forward, which may be wrong */
    for (int i = 0; i < TILE_SIZE; i++) t[i] = (float)there[i];
    dct_inverse(back, t);
    double *expected = as_double(x, TILE_SIZE), *sixteenth = as_double(x, TILE_SIZE),
           *again = slow_dct(t, false), *right_transposed = product(t, true, true),
           *left_plain = product(t, false, false);
    know_inverse(t);
    for (int i = 0; i < TILE_SIZE; i++) sixteenth[i] /= 16;
    CHECK_CLOSE(
        "X", back, expected, TILE_SIZE, 1e-6,
        {"D is not normalized but divided by 2 N an axis", sixteenth},
        {"the way back is the way there once more", again},
        {"the factor on the right is transposed, too: D^T T D^T", right_transposed},
        {"the factor on the left is not transposed: D T D", left_plain},
        {IN_PLACE, in_place(t, true, true)}, {IN_PLACE, in_place(t, true, false)});
    free(x);
    free(t);
    free(back);
    free(there);
    free(expected);
    free(sixteenth);
    free(again);
    free(right_transposed);
    free(left_plain);
}

/* The mistake that gives these places, which should be 3, 500, 1000. */
static const char *mistake_of(const uint16_t places[3]) {
    bool largest = false, later = false;
    for (int i = 0; i < 3; i++) {
        largest |= places[i] == 1000;
        later |= places[i] == 40;
    }
    if (places[0] == 1000) return ": they are in the order of their size";
    if (places[1] == 41) return ": negative ones count too";
    if (places[2] < 256) return ": a place needs more than a byte";
    if (!largest) return ": the largest is not among them";
    return later ? ": of equal ones the first" : "";
}

Test(dct_topk, the_largest, .timeout = 10) {
    float t[TILE_SIZE] = {0};
    t[1000] = -9;
    t[3] = 2;
    t[500] = 5;
    t[40] = -2;
    t[41] = 1;
    uint16_t places[TILE_SIZE];
    const uint16_t expected[] = {3, 500, 1000};
    memset(places, 0xff, sizeof places);
    top_k_places(places, t, 3);
    CHECK(places[2] != 0xffff, "fewer than 3 places are written for k = 3");
    CHECK(memcmp(places, expected, sizeof expected) == 0,
          "the 3 largest of -9 at 1000, 5 at 500, 2 at 3, -2 at 40 are at %u, %u and "
          "%u, expected 3, 500, "
          "1000%s",
          places[0], places[1], places[2], mistake_of(places));
    CHECK(places[3] == 0xffff, "more than 3 places are written");
    top_k_places(places, t, TILE_SIZE);
    for (int i = 0; i < TILE_SIZE; i++)
        CHECK(places[i] == i, "all %d places: number %d is %u, expected %d%s",
              TILE_SIZE, i, places[i], i,
              i > 0 && places[i] == places[i - 1]
                  ? ": a place that was taken is taken again (zeros are numbers, too)"
                  : "");
    const float close[] = {0.25f, -0.75f, 0.5f, 2.5f, -2.75f};
    memset(t, 0, sizeof t);
    memcpy(t, close, sizeof close);
    top_k_places(places, t, 1);
    CHECK(places[0] == 4,
          "the largest of 0.25, -0.75, 0.5, 2.5, -2.75 is at place %u, expected 4%s",
          places[0],
          places[0] == 3 ? "; this is what you get when sizes are cut to whole numbers "
                           "(abs is for ints), or "
                           "their differences"
                         : "");
    memset(places, 0xff, sizeof places);
    top_k_places(places, t, 0);
    CHECK(places[0] == 0xffff, "a place is written for k = 0");
}
