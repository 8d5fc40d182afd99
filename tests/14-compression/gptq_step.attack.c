/* An attack on 14/gptq_step: the formula in double, at the first, a middle and the last
 * weight, on numbers of which none is like another. */
#include "14-compression/gptq_step.h"

#include "check/check.h"

enum { COLS = 7 };

static void check_step(size_t j, float rounded) {
    float *w = normal_floats(COLS, 1, 1), *u = normal_floats(COLS, 1, 2);
    double *right = as_double(w, COLS);
    for (size_t l = j + 1; l < COLS; l++)
        right[l] -= (right[j] - (double)rounded) / (double)u[j] * (double)u[l];
    right[j] = (double)rounded;
    gptq_step(w, j, rounded, u, COLS);
    CHECK_CLOSE("w", w, right, COLS, 1e-5);
    CHECK(w[j] == rounded, "w[%zu] is not exactly what it was rounded to", j);
}

Test(attack, steps) {
    check_step(0, 1);
    check_step(3, -0.3f);
    check_step(COLS - 1, 0.25f);
}
