/* Tests of sums and products of known arrays (tests/support/explain/explain_sums.c):
 * which one was computed, and which part of the right one. */
#include "planted.h"

#include <string.h>

#include "base/memory.h"

static double *as_scaled(void) {
    double *scaled = checked_alloc(SIZE, sizeof *scaled);
    for (size_t i = 0; i < SIZE; i++) scaled[i] = x[i] * rstd[i / DIM];
    return scaled;
}

/* right = dout weight^T; then as if weight were stored [out, column]. */
static double product(size_t r, size_t c, bool transposed, size_t first, size_t end) {
    double sum = 0;
    for (size_t o = first; o < end; o++)
        sum += dout[r * OUT + o] * weight[transposed ? o * DIM + c : c * OUT + o];
    return sum;
}

#define PLANTED_SUM(name, transposed, first, end, words)                               \
    Test(explain_sums, name, .timeout = 10) {                                          \
        know_things();                                                                 \
        for (size_t i = 0; i < SIZE; i++)                                              \
            right[i] = product(i / DIM, i % DIM, false, 0, OUT);                       \
        for (size_t i = 0; i < SIZE; i++)                                              \
            got[i] = product(i / DIM, i % DIM, transposed, first, end);                \
        expect(words);                                                                 \
    }

PLANTED_SUM(product_read_the_other_way, true, 0, OUT,
            "is the sum over out of dout[row][out] * weight[out][column]; expected: "
            "the sum over out of "
            "dout[row][out] * weight[column][out]")
PLANTED_SUM(last_term_lacking, false, 0, OUT - 1,
            "of the sum over out only the first 2 of 3 terms")
PLANTED_SUM(first_term_lacking, false, 1, OUT,
            "of the sum over out only the last 2 of 3 terms")
Test(explain_sums, product_of_three_in_a_sum, .timeout = 10) {
    know_things();
    double gradient[DIM], wrong[DIM];
    for (size_t c = 0; c < DIM; c++) {
        gradient[c] = wrong[c] = 0;
        for (size_t r = 0; r < ROWS; r++) {
            gradient[c] += right[r * DIM + c] * x[r * DIM + c];
            wrong[c] += right[r * DIM + c] * x[r * DIM + c] * rstd[r];
        }
    }
    KNOW_AS("dy", right, "row column");
    know_shape("dgain", "column");
    Explanation e = explained("dgain", wrong, gradient, DIM, 1e-5);
    cr_expect_str_eq(e.words, "every number is the sum over row of x[row][column] * "
                              "rstd[row] * dy[row][column]; expected: "
                              "the sum over row of x[row][column] * dy[row][column]");
}

/* x is what is compared, read in steps of 5 a row. */
Test(explain_sums, stride_of_another_axis, .timeout = 10) {
    know_things();
    memcpy(right, x, sizeof right);
    PLANT(x[r * ROWS + c])
    expect("is made with wrong places of x: the next row is read 5 numbers further "
           "(rows), it lies 8 further");
}

Test(explain_sums, one_row_of_a_factor_for_all, .timeout = 10) {
    know_things();
    know_shape("dgain", "column");
    double sums[DIM] = {0}, stale[DIM] = {0};
    for (size_t i = 0; i < SIZE; i++) {
        sums[i % DIM] += x[i] * rstd[i / DIM];
        stale[i % DIM] += x[i] * rstd[0];
    }
    Explanation e = explained("dgain", stale, sums, DIM, 1e-5);
    cr_expect_str_eq(e.words,
                     "every number is made with row 0 of rstd, whatever the row");
}

Test(explain_sums, index_of_another_axis, .timeout = 10) {
    know_things();
    for (size_t i = 0; i < SIZE; i++) {
        right[i] = x[i] * gain[i % DIM];
        got[i] = x[i] * gain[i / DIM];
    }
    expect("is made with gain read by the row, where the column belongs");
}

/* One number that is a sum of 5: a part of it is one of ten numbers. */
Test(explain_sums, part_of_a_sum_that_is_one_number, .timeout = 10) {
    know_things();
    double whole = 0, most = 0, plain = 0;
    for (size_t r = 0; r < ROWS; r++) {
        whole += rstd[r] * rstd[r];
        most += r < 4 ? rstd[r] * rstd[r] : 0;
        plain += rstd[r];
    }
    AXES({"row", "rows", ROWS}, {"number", "numbers", 1});
    know_shape("dalpha", "number");
    KNOW(rstd, "row");
    Explanation e = explained("dalpha", &most, &whole, 1, 1e-6);
    cr_expect_str_eq(e.words,
                     "perhaps it has of the sum over row only the first 4 of 5 terms");
    e = explained("dalpha", &plain, &whole, 1, 1e-6);
    cr_expect_str_eq(
        e.words,
        "perhaps it is the sum over row of rstd[row]; expected: the sum over row of "
        "rstd[row] * rstd[row]");
}

Test(explain_sums, constant_that_is_an_element, .timeout = 10) {
    know_things();
    know_shape("dgain", "column");
    KNOW_AS("rstd x", as_scaled(), "row column");
    double sums[DIM] = {0}, stale[DIM] = {0};
    for (size_t i = 0; i < SIZE; i++) {
        sums[i % DIM] += right[i] * x[i] * rstd[i / DIM];
        stale[i % DIM] += right[i] * x[i] * rstd[0];
    }
    KNOW_AS("dy", right, "row column");
    Explanation e = explained("dgain", stale, sums, DIM, 1e-5);
    CHECK(strstr(e.words, ", which is rstd of row 0; expected: ") != NULL,
          "explained as '%s'", e.words);
}

Test(explain_sums, last_term_twice, .timeout = 10) {
    know_things();
    for (size_t i = 0; i < SIZE; i++) {
        right[i] = product(i / DIM, i % DIM, false, 0, OUT);
        got[i] = right[i] + product(i / DIM, i % DIM, false, OUT - 1, OUT);
    }
    expect("has the last term of the sum over out twice");
}

PLANTED_SUM(last_term_alone, false, OUT - 1, OUT,
            "only the last term of the sum over out")
