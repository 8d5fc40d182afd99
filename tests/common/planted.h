/* Errors planted among right numbers, and what the tests of tests/support/explain know
 * of these. */
#ifndef TESTS_PLANTED_H
#define TESTS_PLANTED_H

#include <string.h>

#include "check/check.h"
#include "explained.h"

enum { ROWS = 5, DIM = 8, OUT = 3, SIZE = ROWS * DIM };

/* The right numbers and what the tests know; `got` begins as the right numbers. */
static double got[SIZE], right[SIZE];
static double *x, *gain, *rstd, *dout, *weight;

static inline double *random_doubles(size_t n, unsigned seed) {
    double *values = as_double(normal_floats(n, 1, seed), n);
    return values;
}

static inline void know_things(void) {
    AXES({"row", "rows", ROWS}, {"column", "dim", DIM}, {"out", "n_out", OUT});
    x = random_doubles(SIZE, 2);
    gain = random_doubles(DIM, 3);
    rstd = random_doubles(ROWS, 4);
    dout = random_doubles(ROWS * OUT, 5);
    weight = random_doubles(DIM * OUT, 6);
    for (size_t r = 0; r < ROWS; r++) rstd[r] = 1.5 + rstd[r] * rstd[r];
    know_shape("y", "row column");
    KNOW(x, "row column");
    KNOW(gain, "column");
    KNOW(rstd, "row");
    KNOW(dout, "row out");
    KNOW(weight, "column out");
    know_number("eps", 0.3);
    know_number("other", 0.7001);
    memcpy(right, random_doubles(SIZE, 1), sizeof right);
    memcpy(got, right, sizeof got);
}

static inline Explanation explanation_of(double start) {
    Explanation explanation;
    explain(&explanation, &(Comparison){.what = "y",
                                        .got = got,
                                        .expected = right,
                                        .n = SIZE,
                                        .tolerance = 1e-5,
                                        .start = start});
    return explanation;
}

static inline void expect(const char *words) {
    Explanation e = explanation_of(0);
    CHECK(strstr(e.words, words) != NULL, "explained as '%s', expected '%s'", e.words,
          words);
}

/* Every element r, c becomes this; `right` is its right number. */
#define PLANT(value)                                                                   \
    for (size_t i = 0; i < SIZE; i++) {                                                \
        size_t r = i / DIM, c = i % DIM;                                               \
        (void)r, (void)c;                                                              \
        got[i] = (value);                                                              \
    }

#define PLANTED(name, value, words)                                                    \
    Test(explain, name, .timeout = 10) {                                               \
        know_things();                                                                 \
        PLANT(value)                                                                   \
        expect(words);                                                                 \
    }

#endif
