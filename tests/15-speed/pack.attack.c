/* The attack on 15/pack: a view with steps of its own into a larger matrix, whole
 * panels and a part of one; and the same with thousands of rows. */
#include "15-speed/pack.h"

#include "check/check.h"
#include "base/memory.h"

static void check_view(View from, size_t depth, size_t columns, size_t width) {
    size_t panels = (columns + width - 1) / width, n = panels * depth * width;
    float *packed = nan_floats(n);
    double *expected = checked_alloc(n, sizeof *expected);
    for (size_t l = 0; l < depth; l++) {
        for (size_t j = 0; j < columns; j++)
            expected[(j / width * depth + l) * width + j % width] =
                (double)*view_at(from, l, j).data;
    }
    pack(packed, from, depth, columns, width);
    CHECK_CLOSE("packed", packed, expected, n, 1e-7);
}

Test(attack, whole_panels) {
    check_view((View){normal_floats(6 * 20, 1, 1), 20, 1}, 6, 8, 4);
}

Test(attack, a_part_of_a_panel) {
    check_view((View){normal_floats(6 * 20, 1, 1), 20, 1}, 6, 20, 8);
    check_view((View){normal_floats(6 * 20, 1, 2), 1, 6}, 6, 20, 8);
}

Test(attack, thousands_of_rows) {
    check_view((View){normal_floats(5003 * 3, 1, 3), 3, 1}, 5003, 3, 2);
}
