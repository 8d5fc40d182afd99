/* Tests of exercise 15/pack: a number that says where it comes from, so that a wrong
 * place has a name. */
#include "15-speed/pack.h"

#include <stdlib.h>

#include "check/check.h"
#include "base/memory.h"

typedef double Place(const float *data, size_t p, size_t l, size_t x, size_t depth,
                     size_t columns, size_t width);

static double right_place(const float *data, size_t p, size_t l, size_t x, size_t depth,
                          size_t columns, size_t width) {
    (void)depth;
    return p * width + x < columns ? (double)data[l * columns + p * width + x] : 0.0;
}
/* A panel column by column: number l + x * depth of it is what should be number l *
 * width + x. */
static double column_by_column(const float *data, size_t p, size_t l, size_t x,
                               size_t depth, size_t columns, size_t width) {
    size_t at = l * width + x;
    return right_place(data, p, at % depth, at / depth, depth, columns, width);
}
static double first_panel(const float *data, size_t p, size_t l, size_t x, size_t depth,
                          size_t columns, size_t width) {
    (void)p;
    return right_place(data, 0, l, x, depth, columns, width);
}
/* All rows of the matrix one after the other, without panels. */
static double row_by_row(const float *data, size_t p, size_t l, size_t x, size_t depth,
                         size_t columns, size_t width) {
    size_t at = (p * depth + l) * width + x;
    return at < depth * columns ? (double)data[at] : 0.0;
}
/* The last panel is as narrow as the columns that are left, and what is behind it stays
 * as it was. */
static double closes_up(const float *data, size_t p, size_t l, size_t x, size_t depth,
                        size_t columns, size_t width) {
    size_t left = columns - p * width < width ? columns - p * width : width,
           at = l * width + x;
    if (at / left < depth)
        return right_place(data, p, at / left, at % left, depth, columns, width);
    float *nothing = nan_floats(1);
    double unwritten = (double)*nothing;
    free(nothing);
    return unwritten;
}

/* All of packed, as `place` gives it. */
static double *filled(Place *place, const float *data, size_t depth, size_t columns,
                      size_t width) {
    size_t panels = (columns + width - 1) / width;
    double *all = checked_alloc(panels * depth * width, sizeof *all);
    for (size_t i = 0; i < panels * depth * width; i++)
        all[i] = place(data, i / width / depth, i / width % depth, i % width, depth,
                       columns, width);
    return all;
}

/* `plain` [depth, columns] is what the view should show. */
static void check_view(const char *what, View from, const float *plain, size_t depth,
                       size_t columns, size_t width) {
    size_t panels = (columns + width - 1) / width, n = panels * depth * width;
    float *packed = nan_floats(n);
    crash_means(
        "more is read than depth x columns, or more is written than the panels hold");
    pack(packed, from, depth, columns, width);
    AXES({"panel", "the panels", panels}, {"row", "depth", depth},
         {"column", "width", width});
    know_shape(what, "panel row column");
    CHECK_CLOSE(
        what, packed, filled(right_place, plain, depth, columns, width), n, 1e-7,
        {"a panel is stored column by column",
         filled(column_by_column, plain, depth, columns, width)},
        {"every panel is the first", filled(first_panel, plain, depth, columns, width)},
        {"the last panel is as narrow as the columns that are left: all have `width`",
         filled(closes_up, plain, depth, columns, width)},
        {"the rows are copied one after the other, without panels",
         filled(row_by_row, plain, depth, columns, width)});
    free(packed);
}

static void check_plain(size_t depth, size_t columns, size_t width) {
    float *x = normal_floats(depth * columns, 1, 1);
    check_view("packed", (View){x, columns, 1}, x, depth, columns, width);
    free(x);
}

Test(pack, one_panel, .timeout = 10) {
    check_plain(3, 4, 4);
}

Test(pack, several_panels, .timeout = 10) {
    check_plain(5, 12, 4);
}

/* The last panel has columns that the matrix does not have. */
Test(pack, the_last_panel_ends_in_zeros, .timeout = 10) {
    check_plain(5, 10, 4);
    check_plain(2, 3, 8);
    check_plain(7, 1, 6);
}

/* The memory after a row is not the view's, which is a part of a larger matrix. */
Test(pack, a_part_of_a_larger_matrix, .timeout = 10) {
    enum { DEPTH = 4, COLUMNS = 6, ROW = 11 };
    float *large = normal_floats(DEPTH * ROW, 1, 2),
          *plain = nan_floats(DEPTH * COLUMNS);
    for (size_t i = 0; i < DEPTH * COLUMNS; i++)
        plain[i] = large[i / COLUMNS * ROW + i % COLUMNS + 3];
    check_view("packed from a part", (View){large + 3, ROW, 1}, plain, DEPTH, COLUMNS,
               4);
    free(large), free(plain);
}

/* A transposed matrix: its columns lie in order in memory. */
Test(pack, a_transposed_matrix, .timeout = 10) {
    enum { DEPTH = 5, COLUMNS = 7 };
    float *x = normal_floats(DEPTH * COLUMNS, 1, 3),
          *plain = nan_floats(DEPTH * COLUMNS);
    for (size_t i = 0; i < DEPTH * COLUMNS; i++)
        plain[i] = x[i % COLUMNS * DEPTH + i / COLUMNS];
    check_view("packed from a transposed matrix", (View){x, 1, DEPTH}, plain, DEPTH,
               COLUMNS, 3);
    free(x), free(plain);
}

Test(pack, many_rows_and_columns, .timeout = 10) {
    check_plain(300, 1000, 48);
    check_plain(5003, 2, 16);
    check_plain(2, 5003, 16);
    check_plain(2, 5003, 5000);
}

Test(pack, nothing_to_pack, .timeout = 10) {
    float one = 7;
    pack(&one, (View){NULL, 5, 1}, 0, 5, 4);
    pack(&one, (View){NULL, 0, 1}, 5, 0, 4);
    CHECK(one == 7, "a matrix without rows or columns is packed to something");
}
