/* Tests of exercise 06/sinusoidal: PyTorch's numbers, far positions, an odd width, what
 * makes the table useful, and rows that move. */
#include "06-embeddings/sinusoidal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

typedef enum {
    RIGHT,
    PAIR_NUMBER, /* exponent i / dim instead of 2i / dim */
    OWN_COLUMN,  /* the cosine's exponent is (2i + 1) / dim */
    SWAPPED,     /* cosine first */
    HALVES,      /* all sines, then all cosines */
    FROM_ONE,    /* positions counted from 1 */
    FLOAT_SUM,   /* a float angle that grows from position to position */
    TURNS,       /* sin(2 pi angle) */
    FASTER,      /* 10000^(+2i / dim) */
    TRANSPOSED,
    WHOLE_PAIRS, /* exponent i / (dim / 2), in whole numbers: another one where dim is
                    odd */
    FLAT,        /* sine or cosine by the place in the whole table */
} Variation;

static double *table_of_base(size_t n, size_t dim, double base, Variation variation) {
    double *out = checked_alloc(n * dim, sizeof *out);
    float *summed = checked_alloc(dim, sizeof *summed);
    for (size_t p = 0; p < n; p++) {
        for (size_t c = 0; c < dim; c++) {
            size_t pair = c / 2;
            bool cosine =
                (variation == FLAT ? p * dim + c : c) % 2 != (variation == SWAPPED);
            if (variation == HALVES) {
                pair = c % (dim / 2);
                cosine = c >= dim / 2;
            }
            double exponent = 2.0 * (double)pair;
            if (variation == PAIR_NUMBER) exponent = (double)pair;
            if (variation == OWN_COLUMN) exponent = (double)c;
            double width =
                (double)(variation == WHOLE_PAIRS && dim > 1 ? dim / 2 * 2 : dim);
            double frequency =
                pow(base, (variation == FASTER ? 1 : -1) * exponent / width);
            double angle = ((double)p + (variation == FROM_ONE)) * frequency;
            if (variation == FLOAT_SUM) {
                angle = (double)summed[c];
                summed[c] += (float)frequency;
            }
            if (variation == TURNS) angle *= 2 * M_PI;
            out[variation == TRANSPOSED ? c * n + p : p * dim + c] =
                cosine ? cos(angle) : sin(angle);
        }
    }
    free(summed);
    return out;
}

static double *plain_table(size_t n, size_t dim, Variation variation) {
    return table_of_base(n, dim, 10000, variation);
}

/* The base of the powers, as position 1 has it in its second sine; NaN where no base
 * gives that. */
static double base_of(const float *out, size_t n, size_t dim) {
    return n > 1 && dim > 2 ? pow(asin((double)out[dim + 2]), -0.5 * (double)dim) : NAN;
}

/* See known.h. */
static void know_table(size_t n, size_t dim) {
    AXES({"position", "n_positions", n}, {"column", "dim", dim});
    double *angles = checked_alloc(n * dim, sizeof *angles),
           *frequencies = checked_alloc(dim, sizeof *angles);
    for (size_t c = 0; c < dim; c++)
        frequencies[c] = pow(10000, -2.0 * (double)(c / 2) / (double)dim);
    for (size_t i = 0; i < n * dim; i++)
        angles[i] = (double)(i / dim) * frequencies[i % dim];
    KNOW_AS("the angle", angles, "position column");
    KNOW_AS("1 / 10000^(2i / dim)", frequencies, "column");
}

/* The learner's number where it is within the rounding of an angle in floats, computed
 * in any way; else the right one. */
static double *float_table(const float *out, size_t n, size_t dim) {
    double *table = plain_table(n, dim, RIGHT);
    for (size_t i = 0; i < n * dim; i++) {
        double angle =
            (double)(i / dim) * pow(10000, -2.0 * (double)(i % dim / 2) / (double)dim);
        if (fabs((double)out[i] - table[i]) < 1e-6 * (1 + angle))
            table[i] = (double)out[i];
    }
    return table;
}

static void compare_table(const float *out, size_t n, size_t dim, double tolerance) {
    know_table(n, dim);
    char other[100];
    double base = base_of(out, n, dim);
    if (fabs(base - 1) < 1e-3)
        snprintf(
            other, sizeof other,
            "2i / dim is a division of whole numbers: 0, so that every power is 1");
    else
        snprintf(other, sizeof other,
                 "the powers are those of %.4g, not of 10000: see the base, and its "
                 "exponent -2i / dim",
                 base);
    CHECK_CLOSE(
        "out", out, plain_table(n, dim, RIGHT), n * dim, tolerance,
        {"the exponent is i / dim, with i the number of the pair: it is 2i / dim",
         plain_table(n, dim, PAIR_NUMBER)},
        {"the cosine has a frequency of its own: it shares the one of the sine before "
         "it",
         plain_table(n, dim, OWN_COLUMN)},
        {"the cosine comes before the sine", plain_table(n, dim, SWAPPED)},
        {"all sines come first, then all cosines: they alternate",
         plain_table(n, dim, HALVES)},
        {"the positions are counted from 1: the first one is 0",
         plain_table(n, dim, FROM_ONE)},
        {"the angle is a float, or made of one: at position 1000 it is good to 4 "
         "digits only, take double",
         float_table(out, n, dim)},
        {"the angle is added up in float from position to position: take p times the "
         "frequency, in double",
         plain_table(n, dim, FLOAT_SUM)},
        {"the exponent is divided by the number of whole pairs: an odd dim has half a "
         "one more",
         plain_table(n, dim, WHOLE_PAIRS)},
        {"sine or cosine goes by the place in the whole table: it goes by the column",
         plain_table(n, dim, FLAT)},
        {"the angle is taken in turns: sin_turn(x) is sin_double(2 pi x)",
         plain_table(n, dim, TURNS)},
        {"the frequencies grow: the exponent is negative", plain_table(n, dim, FASTER)},
        {"the table is stored column by column", plain_table(n, dim, TRANSPOSED)},
        {other, table_of_base(n, dim, isnan(base) ? 10000 : base, RIGHT)});
}

static void check_table(size_t n, size_t dim, double tolerance) {
    float *out = nan_floats(n * dim);
    sinusoidal_table(out, n, dim);
    compare_table(out, n, dim, tolerance);
}

Test(sinusoidal, small, .timeout = 10) {
    check_table(5, 6, 1e-6);
}

/* Angles up to 2000 radians: their error is the error of the sine. */
Test(sinusoidal, far_positions, .timeout = 10) {
    check_table(2001, 16, 1e-6);
}

Test(sinusoidal, equals_pytorch, .timeout = 10) {
    const char *cases[] = {"n7_d6", "n5_d5", "n40_d16"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = (size_t)golden_attr("sinusoidal", cases[i], "n");
        size_t dim = (size_t)golden_attr("sinusoidal", cases[i], "d");
        float *out = nan_floats(n * dim);
        sinusoidal_table(out, n, dim);
        CHECK_CLOSE(cases[i], out, golden("sinusoidal", cases[i], "y", NULL), n * dim,
                    1e-6);
    }
}

/* The last column of an odd width is a sine without its cosine, and nothing is written
 * behind the table. */
Test(sinusoidal, odd_width, .timeout = 10) {
    enum { POSITIONS = 5, DIM = 5 };
    float *out = nan_floats(POSITIONS * DIM + 1);
    out[POSITIONS * DIM] = 77.0f;
    sinusoidal_table(out, POSITIONS, DIM);
    compare_table(out, POSITIONS, DIM, 1e-6);
    CHECK(out[POSITIONS * DIM] == 77.0f,
          "something was written behind the table: the last pair has no cosine");
}

/* sin a sin b + cos a cos b = cos(a - b): the product of two rows depends on their
 * distance alone. Two frequencies in a pair miss it by far, an angle of few digits does
 * by little. */
Test(sinusoidal, products_depend_on_distance, .timeout = 10) {
    enum { POSITIONS = 50, DIM = 8, DISTANCE = 7 };
    float *out = nan_floats(POSITIONS * DIM);
    sinusoidal_table(out, POSITIONS, DIM);
    double first = 0;
    for (size_t p = 0; p + DISTANCE < POSITIONS; p++) {
        double product = 0;
        for (size_t c = 0; c < DIM; c++) {
            product += (double)out[p * DIM + c] * (double)out[(p + DISTANCE) * DIM + c];
        }
        if (p == 0) first = product;
        CHECK(fabs(product - first) < 1e-5,
              "rows %zu and %zu have the product %.6f, rows 0 and %d %.6f%s", p,
              p + DISTANCE, product, DISTANCE, first,
              fabs(product - first) > 0.01 ? ": a pair must share one frequency" : "");
    }
}

Test(sinusoidal, thousands, .timeout = 10) {
    check_table(5003, 4, 1e-5);
    check_table(3, 5003, 1e-5);
}

/* --- rows that move --- */

typedef enum {
    MOVED,
    BACKWARDS,   /* turned the other way */
    AFTER_SINE,  /* the cosine is made from the new sine */
    LIKE_FIRST,  /* every pair turns by `by`, not by its frequency's share */
    ANGLE_ADDED, /* by * frequency is added to the numbers */
    NEXT_ONLY,   /* moved by one position */
    ONE_SIGN,    /* both products are added */
} Move;

static double *moved(const float *rows, size_t n, size_t dim, int by, Move move) {
    double *out = checked_alloc(n * dim, sizeof *out);
    for (size_t i = 0; i < n * dim; i += 2) {
        double frequency =
            move == LIKE_FIRST ? 1 : pow(10000, -(double)(i % dim) / (double)dim);
        double turn = (move == BACKWARDS   ? -by
                       : move == NEXT_ONLY ? 1
                                           : by) *
                      frequency,
               s = (double)rows[i], c = (double)rows[i + 1];
        out[i] = s * cos(turn) + c * sin(turn);
        double sine = move == AFTER_SINE ? out[i] : s;
        out[i + 1] = c * cos(turn) + (move == ONE_SIGN ? 1 : -1) * sine * sin(turn);
        if (move == ANGLE_ADDED) {
            out[i] = s + turn;
            out[i + 1] = c + turn;
        }
    }
    return out;
}

/* Rows of PyTorch's or our own table, computed here, at positions `start` and on. */
static float *table_rows(size_t start, size_t n, size_t dim) {
    float *rows = checked_alloc(n * dim, sizeof *rows);
    double *table = plain_table(start + n, dim, RIGHT);
    for (size_t i = 0; i < n * dim; i++) rows[i] = (float)table[start * dim + i];
    free(table);
    return rows;
}

static void check_move(size_t start, size_t n, size_t dim, int by) {
    float *rows = table_rows(start, n, dim), *before = table_rows(start, n, dim);
    size_t end = (size_t)((long)start + by);
    double *right = as_double(table_rows(end, n, dim), n * dim);
    sinusoidal_move(rows, n, dim, by);
    AXES({"row", "n", n}, {"column", "dim", dim});
    KNOW_AS("the row before", before, "row column");
    know_number("by", by);
#define MOVED_AS(move) moved(before, n, dim, by, move)
    CHECK_CLOSE(
        "rows", rows, right, n * dim, 1e-6,
        {"the rows move the other way: the sign of the angle", MOVED_AS(BACKWARDS)},
        {"the new cosine is made from the new sine: it wants the old one",
         MOVED_AS(AFTER_SINE)},
        {"every pair turns by the same angle: each has its own frequency",
         MOVED_AS(LIKE_FIRST)},
        {"the angle is added to the sine and the cosine: it is their angle that grows",
         MOVED_AS(ANGLE_ADDED)},
        {"the rows move by one position, not by `by`", MOVED_AS(NEXT_ONLY)},
        {"both products are added: cos(a + b) = cos a cos b - sin a sin b",
         MOVED_AS(ONE_SIGN)},
        {"the rows are as they were", as_double(before, n * dim)});
#undef MOVED_AS
}

Test(sinusoidal, moves_a_row, .timeout = 10) {
    check_move(3, 1, 2, 2);
    check_move(3, 1, 6, 2);
}

/* Several rows, which need not be neighbours of each other; by 0 nothing moves. */
Test(sinusoidal, moves_rows, .timeout = 10) {
    check_move(0, 4, 6, 5);
    check_move(7, 3, 8, 1);
    enum { DIM = 4 };
    float *rows = table_rows(2, 2, DIM), *far = table_rows(90, 1, DIM);
    for (size_t c = 0; c < DIM; c++) rows[DIM + c] = far[c];
    sinusoidal_move(rows, 2, DIM, 0);
    CHECK_CLOSE("the second of two rows, moved by 0", rows + DIM, as_double(far, DIM),
                DIM, 1e-6);
    sinusoidal_move(rows, 2, DIM, 9);
    CHECK_CLOSE("the second of two rows, moved from 90 by 9", rows + DIM,
                as_double(table_rows(99, 1, DIM), DIM), DIM, 1e-6);
}

Test(sinusoidal, moves_back, .timeout = 10) {
    check_move(9, 2, 6, -4);
    check_move(9, 1, 6, -9);
}

/* An angle that is a float is wrong in its fourth digit here. */
Test(sinusoidal, moves_far, .timeout = 10) {
    check_move(11, 2, 8, 100000);
    check_move(100011, 2, 8, -99999);
}

Test(sinusoidal, moves_thousands, .timeout = 10) {
    check_move(1, 5003, 6, 77);
    check_move(1, 2, 5004, 3);
}
