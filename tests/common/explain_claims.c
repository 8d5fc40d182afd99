/* Tests of tests/support/explain/explain.h: what it says of the sums of rows and of
 * what is added up in one place, and what it must not claim. */
#include "explained.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

enum { HEADS = 3, ROWS = 4, COLUMNS = 5, SIZE = HEADS * ROWS * COLUMNS };

/* Right numbers over three axes, and wrong ones that begin as those. */
static double right[SIZE], wrong[SIZE];

static void begin(void) {
    AXES({"head", "n_head", HEADS}, {"query", "length", ROWS},
         {"key", "length", COLUMNS});
    know_shape("y", "head query key");
    double *random = as_double(normal_floats(SIZE, 1, 1), SIZE);
    for (size_t i = 0; i < SIZE; i++) right[i] = wrong[i] = random[i];
}

static void expect(const char *words) {
    Explanation e = explained("y", wrong, right, SIZE, 1e-5);
    CHECK(strstr(e.words, words) != NULL, "explained as '%s', expected '%s'", e.words,
          words);
}

/* Weights, whose rows sum to 1. */
static void begin_with_weights(void) {
    begin();
    for (size_t r = 0; r < SIZE; r += COLUMNS) {
        double sum = 0;
        for (size_t i = r; i < r + COLUMNS; i++) sum += right[i] = exp(right[i]);
        for (size_t i = r; i < r + COLUMNS; i++) right[i] /= sum;
    }
}

Test(explain_claims, rows_that_sum_to_something_else, .timeout = 10) {
    begin_with_weights();
    know_number("sqrt(head_dim)", 1.7);
    /* each row turned round, and then too small */
    for (size_t r = 0; r < SIZE; r += COLUMNS) {
        for (size_t i = 0; i < COLUMNS; i++)
            wrong[r + i] = right[r + (i * i + r / COLUMNS) % COLUMNS] / 1.7;
        double sum = 0;
        for (size_t i = 0; i < COLUMNS; i++) sum += wrong[r + i];
        for (size_t i = 0; i < COLUMNS; i++) wrong[r + i] /= 1.7 * sum;
    }
    expect("the numbers of each query sum to 0.588235, expected 1: too small by the "
           "factor sqrt(head_dim)");
}

/* Wrong weights whose rows sum to 1 are not told of their sums. */
Test(explain_claims, rows_that_sum_to_one, .timeout = 10) {
    begin_with_weights();
    for (size_t r = 0; r < SIZE; r += COLUMNS) {
        double sum = 0;
        for (size_t i = r; i < r + COLUMNS; i++) sum += wrong[i] = right[i] * right[i];
        for (size_t i = r; i < r + COLUMNS; i++) wrong[i] /= sum;
    }
    Explanation e = explained("y", wrong, right, SIZE, 1e-5);
    CHECK(strstr(e.words, "sum to") == NULL, "explained as '%s'", e.words);
}

Test(explain_claims, all_heads_in_the_first, .timeout = 10) {
    begin();
    for (size_t i = 0; i < SIZE; i++) wrong[i] = 0;
    for (size_t i = 0; i < SIZE; i++) wrong[i % (ROWS * COLUMNS)] += right[i];
    expect("every number is 0 but at head 0, where the sum over all stands");
}

/* Where no number is expected, none is nearly right. */
Test(explain_claims, nothing_is_near_no_number, .timeout = 10) {
    double expected = NAN, got = 0;
    Explanation e = explained("y", &got, &expected, 1, 1e-5);
    CHECK(strstr(e.words, "nearly right") == NULL, "explained as '%s'", e.words);
}

/* A part that is wrong here and there is no part: the other numbers have it right. */
Test(explain_claims, a_part_is_wrong_everywhere, .timeout = 10) {
    begin();
    KNOW_AS("part", as_double(normal_floats(SIZE, 1, 2), SIZE), "head query key");
    const double *part = known_facts()->arrays[known_facts()->n_arrays - 1].values;
    for (size_t i = 0; i < SIZE; i++) wrong[i] += i % 3 && i % 7 ? 0 : 0.917 * part[i];
    Explanation e = explained("y", wrong, right, SIZE, 1e-5);
    CHECK(strstr(e.words, "the part along") == NULL, "explained as '%s'", e.words);
    for (size_t i = 0; i < SIZE; i++) wrong[i] = right[i] + 0.917 * part[i];
    expect("the part along part is wrong");
}

/* A mask that is right at first, and then another. */
Test(explain_claims, here_and_there_but_not_at_first, .timeout = 10) {
    begin();
    AXES({"element", "n", SIZE});
    for (size_t i = 40; i < SIZE; i += 2 + i % 3) wrong[i] = cos((double)i);
    expect("right up to element 39");
}

/* Of a hundred rows one may be right in a column that is left out: it is no row of its
 * own. */
Test(explain_claims, one_row_of_many_is_right_by_chance, .timeout = 10) {
    enum { MANY = 100, N = 2 * MANY };
    double y[N], got[N];
    AXES({"row", "rows", MANY}, {"column", "dim", 2});
    know_shape("y", "row column");
    for (size_t i = 0; i < N; i++) {
        y[i] = i == 85 ? 0 : cos((double)i);
        got[i] = i % 2 ? 0 : y[i];
    }
    Explanation e = explained("y", got, y, N, 1e-5);
    cr_expect_str_eq(e.words,
                     "wrong only at column 1, the last; every wrong number is 0");
}

/* 1.00015 is not 1.0002, though a tolerance takes them for the same. */
Test(explain_claims, a_factor_near_one_is_no_other, .timeout = 10) {
    begin();
    know_number("almost one", 1.0002);
    for (size_t i = 0; i < SIZE; i++) wrong[i] = right[i] * 1.00015;
    expect("1.00015 times what it should be");
    for (size_t i = 0; i < SIZE; i++) wrong[i] = right[i] * 1.0002;
    expect("1.0002 times too large, and 1.0002 is almost one");
}

/* A row three times too large is no matter of a size that is 3; all numbers may be. */
Test(explain_claims, a_size_scales_all_or_nothing, .timeout = 10) {
    begin();
    know_number("three", 3);
    for (size_t i = 0; i < SIZE; i++) wrong[i] = i < COLUMNS ? right[i] * 3 : right[i];
    Explanation e = explained("y", wrong, right, SIZE, 1e-5);
    CHECK(strstr(e.words, "3 times too large") && !strstr(e.words, "three"),
          "explained as '%s'", e.words);
    for (size_t i = 0; i < SIZE; i++) wrong[i] = right[i] * 3;
    expect("every number is 3 times too large, and 3 is three");
}

/* Two of five, as two of five may be. */
Test(explain_claims, two_of_five_are_no_rule, .timeout = 10) {
    begin();
    for (size_t i = 0; i < SIZE; i++) wrong[i] += i % COLUMNS % 2 ? cos((double)i) : 0;
    Explanation e = explained("y", wrong, right, SIZE, 1e-5);
    CHECK(strstr(e.words, "every second") == NULL, "explained as '%s'", e.words);
}
