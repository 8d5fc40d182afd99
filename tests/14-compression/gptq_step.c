/* Tests of exercise 14/gptq_step. */
#include "14-compression/gptq_step.h"

#include <math.h>
#include <stdlib.h>

#include "check/check.h"

enum { N = 6 };

static float *copy(const float *x, size_t n) {
    return guarded_copy(x, n, sizeof *x);
}

static const char *const BEHIND =
    "w or u is used behind its last number, which is number cols - 1";

Test(gptq_step, the_rest_makes_up_for_it, .timeout = 10) {
    const float w[N] = {5, 4, 0.75f, -1, 2, 0.5f};
    float *u = copy((float[]){100, 100, 2, 0.5f, -1, 0.25f}, N), *got = copy(w, N);
    enum { J = 2 };
    const float rounded = 1.25f; /* err = (0.75 - 1.25) / 2 = -0.25 */
    double expected[N], undivided[N], wrong_sign[N], overwritten[N], all[N],
        from_diagonal[N];
    for (int l = 0; l < N; l++) {
        double before = (double)w[l], row = (double)u[l];
        bool later = l > J;
        expected[l] = l == J ? 1.25 : before - (later ? -0.25 * row : 0);
        undivided[l] = l == J ? 1.25 : before - (later ? -0.5 * row : 0);
        wrong_sign[l] = l == J ? 1.25 : before + (later ? -0.25 * row : 0);
        overwritten[l] = l == J ? 1.25 : before;
        all[l] = l == J ? 1.25 : before + 0.25 * row;
        from_diagonal[l] =
            l == J ? 1.25
                   : before + (later ? 0.5 / (double)u[0] * (double)u[l - J] : 0);
    }
    crash_means(BEHIND);
    gptq_step(got, J, rounded, u, N);
    AXES({"weight", "cols", N});
    KNOW_AS("w before", w, "weight");
    KNOW(u, "weight");
    know_number("rounded", 1.25);
    know_number("w[j]", 0.75);
    know_number("|err|", 0.25);
    know_number("u[j]", 2);
    CHECK_CLOSE("w", got, expected, N, 1e-6,
                {"the error is not divided by u[j]", undivided},
                {"the error has the other sign", wrong_sign},
                {"the error is 0: taken after w[j] was overwritten", overwritten},
                {"weights that are rounded already move too", all},
                {"u is read as if it began at the diagonal: u [cols] is a whole row, "
                 "u[j] its diagonal",
                 from_diagonal});
    free(u);
    free(got);
}

/* For inputs with H = [[2, 1], [1, 2]] a row of two weights: once the first is rounded,
 * the second that makes e^T H e least is found by hand, -e_1 H_12 / H_22. H^-1 = U^T
 * U. */
Test(gptq_step, two_weights_by_hand, .timeout = 10) {
    /* the first row of U: H^-1 = [[2, -1], [-1, 2]] / 3 */
    double a = sqrt(2.0 / 3), b = -1.0 / 3 / a;
    float *w = copy((float[]){0.7f, 0.1f}, 2),
          *u = copy((float[]){(float)a, (float)b}, 2);
    gptq_step(w, 0, 1, u, 2);
    CHECK_NUMBER("the second weight", w[1], 0.1 - 0.3 / 2, 1e-6);
    free(w);
    free(u);
}

/* More columns than any array in the function could hold; behind the last one nothing
 * may be touched. */
Test(gptq_step, thousands, .timeout = 10) {
    enum { MANY = 5003 };
    float *w = normal_floats(MANY, 1, 1), *u = normal_floats(MANY, 1, 2);
    double *expected = as_double(w, MANY), err = ((double)w[1] - 0.25) / (double)u[1];
    expected[1] = 0.25;
    for (size_t l = 2; l < MANY; l++) expected[l] -= err * (double)u[l];
    crash_means(BEHIND);
    gptq_step(w, 1, 0.25f, u, MANY);
    CHECK_CLOSE("w", w, expected, MANY, 1e-6);
    free(w);
    free(u);
    free(expected);
}

/* The stored number is exactly the rounded one: its neighbours, in the last bit, are
 * not on the grid. */
Test(gptq_step, exactly_rounded, .timeout = 10) {
    enum { MANY = 1000 };
    float *w = normal_floats(MANY, 1, 3), *u = normal_floats(MANY, 1, 4);
    for (size_t j = 0; j < MANY; j++) {
        float rounded = (roundf(w[j] * 10) + 0.5f) / 10;
        gptq_step(w, j, rounded, u, j + 1);
        CHECK(w[j] == rounded,
              "w[%zu] is %.9g, expected exactly what it was rounded to, %.9g", j,
              (double)w[j], (double)rounded);
    }
    free(w);
    free(u);
}

Test(gptq_step, the_last_weight_has_nobody_behind_it, .timeout = 10) {
    float *w = copy((float[]){1, 2, 3}, 3), *u = copy((float[]){0, 0, 0.5f}, 3);
    gptq_step(w, 2, 4, u, 3);
    CHECK(w[0] == 1 && w[1] == 2 && w[2] == 4, "w is %g %g %g, expected 1 2 4",
          (double)w[0], (double)w[1], (double)w[2]);
    free(w);
    free(u);
}
