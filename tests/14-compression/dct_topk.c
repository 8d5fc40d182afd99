/* Tests of exercise 14/dct_topk. */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"

/* The tests run at 32; the last one repeats them at 16. */
static size_t side = 32, area = 1024;

/* The mistake that gives row u of D this square, which should be 1. */
static const char *wrong_square(size_t u, double square) {
    if (fabs(square - (double)side / 2) < 0.1 || fabs(square - (double)side) < 0.1)
        return ": D is not normalized";
    if (square == 0) return ": all of it is 0 (2 / side is, in whole numbers)";
    if (u == 0 && fabs(square - 2) < 0.01)
        return ": row 0 has the factor of the others";
    return "";
}

/* D D^T in double. */
static void check_matrix(void) {
    float *got = nan_floats(area);
    dct_matrix(got, side);
    for (size_t u = 0; u < side; u++) {
        for (size_t v = 0; v < side; v++) {
            double dot = 0;
            for (size_t i = 0; i < side; i++)
                dot += (double)got[u * side + i] * (double)got[v * side + i];
            const char *mistake = u == v ? wrong_square(u, dot) : "";
            CHECK(fabs(dot - (u == v)) < 1e-6,
                  "row %zu times row %zu of D, %zu x %zu, is %.7f, expected %d%s", u, v,
                  side, side, dot, u == v, mistake);
        }
    }
    free(got);
}

Test(dct_topk, the_matrix_is_orthonormal, .timeout = 10) {
    check_matrix();
}

/* The definition in double: t[u][v] = sum_ij d_ui x_ij d_vj. */
static double *d;

/* D as the functions get it. */
static float *given_d(void) {
    const double pi = 3.14159265358979323846;
    float *given = nan_floats(area);
    free(d);
    d = checked_alloc(area, sizeof *d);
    for (size_t n = 0; n < area; n++) {
        size_t u = n / side, i = n % side;
        d[n] = sqrt((u ? 2.0 : 1.0) / (double)side) *
               cos(pi * (double)((2 * i + 1) * u) / (2.0 * (double)side));
        given[n] = (float)d[n];
    }
    return given;
}

static double *slow_dct(const float *x, bool rows_only) {
    double *t = checked_alloc(area, sizeof *t),
           *half = checked_alloc(area, sizeof *half);
    for (size_t n = 0; n < area; n++)
        for (size_t j = 0; j < side; j++)
            half[n] += (double)x[n / side * side + j] * d[n % side * side + j];
    if (rows_only) return half;
    for (size_t n = 0; n < area; n++)
        for (size_t i = 0; i < side; i++)
            t[n] += d[n / side * side + i] * half[i * side + n % side];
    free(half);
    return t;
}

/* T[u][v] is D[u][i] * (X D^T)[i][v] summed over i; see known.h. */
static void know_pass(const float *x, const double *rows) {
    double *columns = checked_alloc(area, sizeof *columns);
    for (size_t n = 0; n < area; n++)
        for (size_t i = 0; i < side; i++)
            columns[n] += d[n / side * side + i] * (double)x[i * side + n % side];
    AXES({"u", "side", side}, {"v", "side", side}, {"i", "side", side});
    KNOW_AS("X", x, "u v");
    KNOW_AS("D", d, "u i");
    KNOW_AS("X D^T", rows, "i v");
    KNOW_AS("D X", columns, "u i");
    know_shape("T", "u v");
}

/* A X B in double, where A and B are D or its transpose. */
static double *product(const float *x, bool left_transposed, bool right_transposed) {
    double *half = checked_alloc(area, sizeof *half),
           *out = checked_alloc(area, sizeof *out);
    for (size_t n = 0; n < area; n++)
        for (size_t i = 0, u = n / side; i < side; i++)
            half[n] += (left_transposed ? d[i * side + u] : d[u * side + i]) *
                       (double)x[i * side + n % side];
    for (size_t n = 0; n < area; n++)
        for (size_t j = 0, v = n % side; j < side; j++)
            out[n] += half[n / side * side + j] *
                      (right_transposed ? d[v * side + j] : d[j * side + v]);
    free(half);
    return out;
}

/* A X A^T, A being D or D^T, where the second product is written over the first one
 * while that is still read: by rows after A X, or by columns after X A^T. */
static double *in_place(const float *x, bool transposed, bool by_rows) {
    double *out = checked_alloc(area, sizeof *out);
    /* along a line, and to the next one */
    size_t next = by_rows ? 1 : side, apart = by_rows ? side : 1;
    for (size_t n = 0; n < area; n++)
        for (size_t i = 0, u = n / side, j = n % side; i < side; i++)
            out[u * apart + j * next] +=
                (transposed ? d[i * side + u] : d[u * side + i]) *
                (double)x[i * apart + j * next];
    for (size_t n = 0; n < area; n++) {
        double sum = 0, *line = out + n / side * apart;
        for (size_t i = 0, v = n % side; i < side; i++)
            sum += (transposed ? d[i * side + v] : d[v * side + i]) * line[i * next];
        line[n % side * next] = sum;
    }
    return out;
}

static const char IN_PLACE[] =
    "the second product is written where the first one is still read: it takes another "
    "array";

static void check_forward(void) {
    float *given = given_d(), *x = normal_floats(area, 1, 1), *t = nan_floats(area);
    double *expected = slow_dct(x, false), *rows = slow_dct(x, true),
           *transposed = calloc(area, sizeof *transposed);
    for (size_t i = 0; i < area; i++)
        transposed[i] = expected[i % side * side + i / side];
    double *right_plain = product(x, false, false),
           *left_transposed = product(x, true, true);
    dct_forward(t, x, given, side);
    know_pass(x, rows);
    CHECK_CLOSE(
        with_size("T", side, side), t, expected, area, 1e-6,
        {"only the rows are transformed", rows},
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
    free(given);
}

Test(dct_topk, forward, .timeout = 10) {
    check_forward();
}

/* X[i][j] is D[u][i] * (T D)[u][j] summed over u. */
static void know_inverse(const float *t) {
    double *rows = checked_alloc(area, sizeof *rows),
           *columns = checked_alloc(area, sizeof *columns);
    for (size_t n = 0; n < area; n++) {
        for (size_t v = 0; v < side; v++) {
            rows[n] += (double)t[n / side * side + v] * d[v * side + n % side];
            columns[n] += d[v * side + n / side] * (double)t[v * side + n % side];
        }
    }
    AXES({"i", "side", side}, {"j", "side", side}, {"u", "side", side});
    know_shape("X", "i j");
    KNOW_AS("D", d, "u i");
    KNOW_AS("T D", rows, "u j");
    KNOW_AS("D^T T", columns, "i u");
}

static void check_inverse(void) {
    float *given = given_d(), *x = normal_floats(area, 1, 1), *t = nan_floats(area),
          *back = nan_floats(area);
    double *there = slow_dct(x, false); /* not dct_forward, which may be wrong */
    for (size_t i = 0; i < area; i++) t[i] = (float)there[i];
    dct_inverse(back, t, given, side);
    double *expected = as_double(x, area), *divided = as_double(x, area),
           *again = slow_dct(t, false), *right_transposed = product(t, true, true),
           *left_plain = product(t, false, false);
    know_inverse(t);
    for (size_t i = 0; i < area; i++) divided[i] /= (double)side / 2;
    CHECK_CLOSE(
        with_size("X", side, side), back, expected, area, 1e-6,
        {"it is divided by 2 N an axis, though D is normalized", divided},
        {"the way back is the way there once more", again},
        {"the factor on the right is transposed, too: D^T T D^T", right_transposed},
        {"the factor on the left is not transposed: D T D", left_plain},
        {IN_PLACE, in_place(t, true, true)}, {IN_PLACE, in_place(t, true, false)});
    free(x);
    free(t);
    free(back);
    free(there);
    free(expected);
    free(divided);
    free(again);
    free(right_transposed);
    free(left_plain);
    free(given);
}

Test(dct_topk, inverse, .timeout = 10) {
    check_inverse();
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
    enum { N = 1024 };
    float t[N] = {0};
    t[1000] = -9;
    t[3] = 2;
    t[500] = 5;
    t[40] = -2;
    t[41] = 1;
    uint16_t places[N];
    const uint16_t expected[] = {3, 500, 1000};
    memset(places, 0xff, sizeof places);
    top_k_places(places, t, N, 3);
    CHECK(places[2] != 0xffff, "fewer than 3 places are written for k = 3");
    CHECK(memcmp(places, expected, sizeof expected) == 0,
          "the 3 largest of -9 at 1000, 5 at 500, 2 at 3, -2 at 40 are at %u, %u and "
          "%u, expected 3, 500, "
          "1000%s",
          places[0], places[1], places[2], mistake_of(places));
    CHECK(places[3] == 0xffff, "more than 3 places are written");
    top_k_places(places, t, N, N);
    for (int i = 0; i < N; i++)
        CHECK(places[i] == i, "all %d places: number %d is %u, expected %d%s", N, i,
              places[i], i,
              i > 0 && places[i] == places[i - 1]
                  ? ": a place that was taken is taken again (zeros are numbers, too)"
                  : "");
    const float close[] = {0.25f, -0.75f, 0.5f, 2.5f, -2.75f};
    memset(t, 0, sizeof t);
    memcpy(t, close, sizeof close);
    top_k_places(places, t, N, 1);
    CHECK(places[0] == 4,
          "the largest of 0.25, -0.75, 0.5, 2.5, -2.75 is at place %u, expected 4%s",
          places[0],
          places[0] == 3 ? "; this is what you get when sizes are cut to whole numbers "
                           "(abs is for ints), or "
                           "their differences"
                         : "");
    memset(places, 0xff, sizeof places);
    top_k_places(places, t, N, 0);
    CHECK(places[0] == 0xffff, "a place is written for k = 0");
}

Test(dct_topk, side_16, .timeout = 10) {
    side = 16;
    area = 256;
    crash_means("a 32 or a 1024 stands where side or n should");
    check_matrix();
    check_forward();
    check_inverse();
    float *t = equal_floats(area, 1);
    uint16_t places[1024];
    memset(places, 0xff, sizeof places);
    t[255] = -2;
    t[7] = 3;
    top_k_places(places, t, area, 2);
    CHECK(places[0] == 7 && places[1] == 255 && places[2] == 0xffff,
          "the 2 largest of 256 are at %u and %u, expected 7 and 255", places[0],
          places[1]);
    free(t);
}
