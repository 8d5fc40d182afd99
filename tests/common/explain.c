/* Tests of tests/support/explain/explain.h: every description finds the error that was
 * planted for it, and random numbers get none. */
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/random.h"
#include "planted.h"

PLANTED(factor_that_is_a_size, DIM *right[i],
        "every number is 8 times too large, and 8 is dim")
PLANTED(factor_that_is_a_root, right[i] / sqrt(DIM),
        "times too small, and 2.82843 is sqrt(dim)")
PLANTED(factor_that_is_two_sizes, right[i] * ROWS * DIM, "is rows * dim")
PLANTED(factor_that_is_bessel, right[i] * DIM / (DIM - 1.0), "is dim / (dim - 1)")
PLANTED(factor_without_a_name, right[i] * 0.8123,
        "every number is 0.8123 times what it should be")
PLANTED(added_twice, right[i] * 2, "is it added twice?")
PLANTED(sign, -right[i], "every number has the wrong sign")
PLANTED(zero, 0.0 * right[i], "every number is 0")
PLANTED(nearly_zero, 1e-9 * right[i], "every number is 0, or nearly 0")
PLANTED(constant_that_is_known, right[i] + 0.3, "is too large by 0.3, which is eps")
PLANTED(constant_without_a_name, right[i] - 7.77, "is too small by 7.77")
PLANTED(one_number_for_all, 4.2 + 0 * right[i], "every number is 4.2")
PLANTED(constant_that_is_no_difference, right[i] + 0.7,
        "every number is too large by 0.7")
PLANTED(number_of_another_place, right[11] + 0 * right[i],
        ", which belongs to row 1, column 3")
PLANTED(quotient_of_two_numbers, right[i] * 0.3 / 0.7001,
        "times too small, and 2.33367 is other / eps")
PLANTED(square, right[i] * right[i], "is the square of what it should be")
PLANTED(inverse, 1 / right[i], "is 1 over what it should be")
PLANTED(lost_sign, fabs(right[i]), "has lost its sign")

PLANTED(only_the_last_column, c == DIM - 1 ? right[i] + sin((double)i) : right[i],
        "wrong only at column 7, the last")
PLANTED(from_row_two_on, r >= 2 ? 3 * right[i] : right[i],
        "wrong only at row 2 and on; every wrong number is 3 times")
PLANTED(all_but_row_zero, r > 0 ? cos((double)i) : right[i], "right only at row 0")
PLANTED(one_element, i == 11 ? 9.0 : right[i], "row 1, column 3")
PLANTED(factor_lacking, right[i] / gain[c], "every number lacks the factor gain")
PLANTED(factor_twice, right[i] * rstd[r], "has the factor rstd once too often")
PLANTED(term_lacking, right[i] - gain[c], "lacks the term gain")
PLANTED(array_itself, x[i], "every number is x")
PLANTED(array_for_another, right[i] / gain[c] * x[i],
        "has the factor x where gain belongs")
PLANTED(product_of_two, x[i] * rstd[r], "is x * rstd")
PLANTED(factor_more_in_a_term, right[i] + x[i] * (gain[c] - 1),
        "has the factor gain once too often in the term x")
PLANTED(factor_less_in_a_term, right[i] + x[i] * (1 / rstd[r] - 1),
        "lacks the factor rstd in the term x")
PLANTED(every_second_column, c % 2 ? cos((double)i) : right[i],
        "wrong only at every second column from 1 on")
PLANTED(part_along_an_array, right[i] + 0.123 * x[i], "the part along x is wrong")
PLANTED(a_term_divided_by_a_size, right[i] - 7.0 / 8 * x[i],
        "has the part along x 8 times too small, and 8 is dim")
PLANTED(row_of_another_stride, right[c * ROWS + r], "is a right one in the wrong place")
PLANTED(one_row_for_all, right[c], "is what belongs to row 0")
PLANTED(shifted, right[i + 1 < SIZE ? i + 1 : i], "is what belongs 1 column further on")
PLANTED(rows_shifted, right[r > 0 ? i - DIM : i], "is what belongs 1 row before")
PLANTED(reversed, right[r * DIM + DIM - 1 - c], "reversed order along the column axis")
PLANTED(sums_not_set_back, (i > 0 ? got[i - 1] : 0) + right[i],
        "is a sum not set back to 0?")
PLANTED(factor_a_row, right[i] * (2 + sin(3.0 + (double)r)), "one factor a row")
PLANTED(factor_a_column, right[i] * (2 + sin(3.0 + (double)c)), "one factor a column")
PLANTED(first_row_for_all, right[i] * (r > 0 ? 2 + sin((double)r) : 1),
        "row 0 is right: is something of it used for the others, or carried on?")
PLANTED(constant_a_row, right[i] + sin(1.0 + (double)r), "one constant a row")
PLANTED(multiple_of_an_array_a_row, right[i] + x[i] * sin(1.0 + (double)r),
        "the part along x is wrong")

/* Of three rows one may be right by chance: that is said, and nothing is made of it. */
Test(explain, one_of_three_rows_is_right, .timeout = 10) {
    enum { THREE = 3 };
    AXES({"row", "rows", THREE}, {"column", "dim", DIM});
    know_shape("y", "row column");
    double *y = random_doubles(THREE * DIM, 1), wrong[THREE * DIM];
    for (size_t i = 0; i < THREE * DIM; i++)
        wrong[i] = y[i] * (i < 2 * DIM ? 0.8 + 0.1 * (double)(i / DIM) : 1);
    Explanation e = explained("y", wrong, y, THREE * DIM, 1e-5);
    cr_expect_str_eq(
        e.words,
        "every number is wrong by one factor a row (0.8, 0.9 ...); row 2 is right");
}

/* Gradients far below what they are added to: all of it is about 1.5, which says
 * nothing. */
Test(explain, small_gradients_are_no_constant, .timeout = 10) {
    double *small = random_doubles(SIZE, 1), *other = random_doubles(SIZE, 7);
    float *got_floats = ones_and_a_half(SIZE);
    for (size_t i = 0; i < SIZE; i++) {
        small[i] *= 1e-3;
        got_floats[i] += (float)(1e-3 * other[i]);
    }
    AXES({"element", "n", SIZE});
    const char *message = compare_added("dx", got_floats, small, SIZE, 1e-5, NULL, 0);
    cr_expect(message && !strstr(message, "overwritten") && !strstr(message, "every"),
              "%s", message);
}

/* One number far too small is within the tolerance of nothing, and yet it is not
 * nothing. */
Test(explain, nothing_is_exactly_nothing, .timeout = 10) {
    float tiny = 1.5f + 1e-5f, none = 1.5f;
    AXES({"element", "n", 1});
    const char *message = compare_added("dx", &tiny, &(double){10}, 1, 1e-5, NULL, 0);
    cr_expect(message && !strstr(message, "nothing") && !strstr(message, "is 0"), "%s",
              message);
    message = compare_added("dx", &none, &(double){10}, 1, 1e-5, NULL, 0);
    cr_expect(message && strstr(message, "nothing is added to the gradient"), "%s",
              message);
}

/* Two sizes that are the same are both said. */
Test(explain, sizes_that_are_the_same, .timeout = 10) {
    know_things();
    know_number("the classes", DIM);
    PLANT(right[i] / DIM)
    expect("every number is 8 times too small, and 8 is the classes or dim");
}

/* A size of 1, one less than which is 0, gives no number its name. */
Test(explain, sizes_of_one, .timeout = 10) {
    AXES({"row", "rows", 1}, {"column", "dim", DIM});
    know_shape("y", "row column");
    double wrong[DIM];
    for (size_t c = 0; c < DIM; c++) {
        right[c] = 1 + (double)(c * c);
        wrong[c] = 2.92423 * right[c];
    }
    Explanation e = explained("y", wrong, right, DIM, 1e-5);
    cr_expect_str_eq(e.words, "every number is 2.92423 times what it should be");
}

Test(explain, transposed, .timeout = 10) {
    know_things();
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < DIM; c++) got[c * ROWS + r] = right[r * DIM + c];
    }
    expect("row and column exchanged: it is transposed");
}

Test(explain, triangle, .timeout = 10) {
    AXES({"query", "length", 4}, {"key", "length", 4});
    know_shape("scores", "query key");
    double scores[16], wrong[16];
    for (size_t i = 0; i < 16; i++) {
        scores[i] = 1 + (double)i;
        wrong[i] = i % 4 > i / 4 ? cos((double)i) : scores[i];
    }
    Explanation e = explained("scores", wrong, scores, 16, 1e-5);
    cr_expect_str_eq(e.words, "wrong only at key > query");
}

Test(explain, overwritten_in_part, .timeout = 10) {
    know_things();
    /* what = leaves, less the 1.5 that were there */
    PLANT(r >= 3 ? right[i] - 1.5 : right[i])
    Explanation e = explanation_of(1.5);
    cr_expect_str_eq(e.words, "wrong only at row 3 and on; every wrong number is "
                              "overwritten (=) instead of added to (+=)");
}

Test(explain, never_written, .timeout = 10) {
    know_things();
    double unwritten = (double)*nan_floats(1);
    PLANT(r >= 3 ? unwritten : right[i])
    expect("numbers at row 3 and on are never written");
    PLANT(r >= 3 ? NAN : right[i])
    expect("numbers at row 3 and on are NaN: 0/0");
}

Test(explain, input_that_makes_it_infinite, .timeout = 10) {
    know_things();
    PLANT(x[i] > 1 ? INFINITY : right[i])
    expect("just where x is 1.");
}

Test(explain, written_in_part, .timeout = 10) {
    know_things();
    float number = *nan_floats(1);
    memcpy(&number, &(float){0.1f}, 2);
    double unwritten = (double)*nan_floats(1), cut = (double)number;
    PLANT(r < 3 ? right[i] : i == 3 * DIM ? cut : unwritten)
    expect("numbers at row 3 and on are written in part, or not at all: numbers are "
           "counted where bytes are");
}

Test(explain, inputs_that_are_wrong, .timeout = 10) {
    know_things();
    PLANT(fabs(x[i]) > 1 ? cos((double)i) : right[i])
    expect("wrong only where |x| is 1.");
}

/* 1 / 0.7 is 1 / (1 - 0.3) as well: the simpler of the two is named, whichever number
 * is known first. */
Test(explain, the_simpler_form_of_two_numbers, .timeout = 10) {
    know_things();
    know_number("rest", 0.7);
    PLANT(right[i] / 0.7)
    expect("times too large, and 1.42857 is 1 / rest");
}

/* Every number is next to its like: that they are shifted is a coincidence. */
Test(explain, few_numbers_are_not_shifted, .timeout = 10) {
    know_things();
    PLANT(c % 2 ? -3.0 : 2.0)
    for (size_t i = 0; i < SIZE; i++) right[i] = i % DIM % 2 ? 2.0 : -3.0;
    CHECK(strstr(explanation_of(0).words, "further on") == NULL, "explained as '%s'",
          explanation_of(0).words);
}

Test(explain, from_a_known_number_on, .timeout = 10) {
    know_things();
    know_number("part", 4);
    PLANT(c >= 4 ? cos((double)i) : right[i])
    expect("wrong only at column 4 and on, which is part");
}

/* The numbers are sines of an angle, which the test has turned round again. */
Test(explain, twice_the_angle_inside_of_a_sine, .timeout = 10) {
    know_things();
    double angles[SIZE], doubled[SIZE];
    for (size_t i = 0; i < SIZE; i++) {
        angles[i] = 0.01 * (double)(i + 1);
        doubled[i] = 2 * angles[i];
    }
    PLANT(sin(doubled[i]))
    for (size_t i = 0; i < SIZE; i++) right[i] = sin(angles[i]);
    CHECK(!explanation_of(0).pattern, "a pattern without the angle: '%s'",
          explanation_of(0).words);
    doubled[7] = NAN;
    know_inside("the angle", doubled, angles, SIZE, 1e-5);
    expect("of the angle, every number is 2 times too large");
}

Test(explain, rounding, .timeout = 10) {
    know_things();
    PLANT(right[i] + 1e-4 * sin(3.0 * (double)i))
    expect("all is nearly right, to 4e-05 of the largest number");
}

/* An absolute tolerance may be coarse for small numbers: 1 % of them is more than any
 * rounding. */
Test(explain, too_much_for_rounding, .timeout = 10) {
    know_things();
    PLANT(right[i] + 0.02 * sin(3.0 * (double)i))
    Explanation e = explained("y", got, right, SIZE, 1e-3);
    CHECK(strstr(e.words, "nearly right") == NULL, "explained as '%s'", e.words);
}

/* That one number is -2 times another says little. */
Test(explain, one_number_alone, .timeout = 10) {
    know_things();
    double expected = -0.05, wrong = 0.1;
    Explanation e = explained("the weight", &wrong, &expected, 1, 1e-5);
    CHECK(!e.pattern, "one number is explained as '%s'", e.words);
    wrong = DIM * expected;
    e = explained("the weight", &wrong, &expected, 1, 1e-5);
    cr_expect_str_eq(e.words, "perhaps it is 8 times too large, and 8 is dim");
}

/* 1 is e to the power of 0, and so is any 1 where 0 belongs. */
Test(explain, one_where_zero_belongs_is_no_function, .timeout = 10) {
    double expected[5] = {0, 1, 0, 0, 0}, wrong[5] = {1, 1, 1, 1, 1};
    AXES({"token", "tokens", 5});
    Explanation e = explained("y", wrong, expected, 5, 1e-5);
    CHECK(strstr(e.words, "every number is 1") && !strstr(e.words, "power"),
          "explained as '%s'", e.words);
}

/* Random numbers have no pattern, however many things are known; and random places no
 * name. */
Test(explain, random_numbers_get_no_pattern, .timeout = 60) {
    Random random = random_create(1);
    for (size_t trial = 0; trial < 2000; trial++) {
        know_things();
        double size = pow(10, -4 + 6 * (double)random_float(&random));
        size_t every = 1 + random_below(&random, 4);
        for (size_t i = 0; i < SIZE; i++) {
            if (random_below(&random, (uint32_t)every) > 0) continue;
            got[i] = (trial % 2 ? right[i] : 0) + size * (double)random_normal(&random);
        }
        Explanation e = explanation_of(0);
        CHECK(!e.pattern, "trial %zu: random numbers are explained as '%s'", trial,
              e.words);
    }
}

/* Few numbers fit much: of three no array is claimed that differs in each. */
Test(explain, few_random_numbers_get_no_pattern, .timeout = 60) {
    Random random = random_create(2);
    for (size_t trial = 0; trial < 5000; trial++) {
        double expected[3], wrong[3], known[3][3];
        for (size_t i = 0; i < 3; i++) {
            expected[i] = random_normal(&random);
            wrong[i] = random_normal(&random);
            for (size_t k = 0; k < 3; k++) known[k][i] = random_normal(&random);
        }
        AXES({"element", "n", 3});
        know_doubles("a", known[0], "element");
        know_doubles("b", known[1], "element");
        know_doubles("c", known[2], "element");
        Explanation e = explained("y", wrong, expected, 3, 1e-5);
        CHECK(!e.pattern, "trial %zu: random numbers are explained as '%s'", trial,
              e.words);
    }
}

/* check.h: a listed mistake is offered as a guess where it is all NaN, which has many
 * causes, or where two give the same. */
Test(explain, listed_mistakes_that_others_may_be_are_guesses, .timeout = 10) {
    float numbers[3] = {NAN, NAN, NAN};
    double expected[3] = {1, 2, 3}, nan[3] = {NAN, NAN, NAN}, half[3] = {0.5, 1, 1.5};
    Mistake mistakes[] = {{"eps is left out", nan},
                          {"it is halved", half},
                          {"the other half is lost", half}};
    const char *message = compare("y", numbers, expected, 3, 1e-5, mistakes, 3);
    CHECK(strstr(message, "; perhaps eps is left out") &&
              !strstr(message, "this is what you get"),
          "%s", message);
    for (size_t i = 0; i < 3; i++) numbers[i] = (float)half[i];
    message = compare("y", numbers, expected, 3, 1e-5, mistakes, 3);
    CHECK(strstr(message, "; perhaps it is halved, or the other half is lost"), "%s",
          message);
}
