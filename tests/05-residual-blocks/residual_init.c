/* Tests of exercise 05/residual_init. */
#include "05-residual-blocks/residual_init.h"

#include <math.h>

#include "check/check.h"

static void check_std(double std, size_t n_layer) {
    double n = (double)n_layer, right = std / sqrt(2 * n);
    double one_a_block = std / sqrt(n), no_root = std / (2 * n),
           larger = std * sqrt(2 * n), three = std / sqrt(3 * n),
           whole = std / floor(sqrt(2 * n));
    char what[80];
    snprintf(what, sizeof what, "residual_init_std(%g, %zu)", std, n_layer);
    CHECK_NUMBER(
        what, residual_init_std((float)std, n_layer), right, 1e-6,
        {"one addition a block is counted instead of two", &one_a_block},
        {"std is divided by the number of additions, without the root", &no_root},
        {"std is multiplied by the root", &larger},
        {"three additions a block are counted", &three},
        {"the root is kept in an integer", &whole});
}

/* GPT-2: 12, 24, 36 and 48 blocks. */
Test(residual_init, gpt2_sizes, .timeout = 10) {
    check_std(0.02, 12);
    check_std(0.02, 24);
    check_std(0.02, 36);
    check_std(0.02, 48);
    check_std(0.02, 100000); /* more than two bytes count */
}

/* Many depths together: what the wrong numbers have in common is described
 * (explain.h). */
Test(residual_init, one_to_nine_layers, .timeout = 10) {
    enum { MOST = 9 };
    float got[MOST];
    double expected[MOST], layers[MOST], roots[MOST], counted[MOST], additions[MOST];
    for (size_t i = 0; i < MOST; i++) {
        layers[i] = (double)i + 1;
        roots[i] = sqrt(2 * layers[i]);
        expected[i] = 0.3 / roots[i];
        got[i] = residual_init_std(0.3f, i + 1);
        double part = 0.3 / (double)got[i];
        additions[i] = 2 * layers[i];
        counted[i] = part * part;
    }
    AXES({"layers", "n_layer", MOST});
    axis_counts_from("layers", 1);
    KNOW_AS("n_layer", layers, "layers");
    KNOW_AS("sqrt(2 n_layer)", roots, "layers");
    know_number("std", 0.3);
    know_number("sqrt(2)", sqrt(2));
    know_inside("the number of additions", counted, additions, MOST, 1e-5);
    CHECK_CLOSE("the deviation for 1 to 9 layers", got, expected, MOST, 1e-6);
}

Test(residual_init, by_hand, .timeout = 10) {
    CHECK_NUMBER("residual_init_std(1, 2)", residual_init_std(1.0f, 2), 0.5, 1e-6);
    CHECK_NUMBER("residual_init_std(0.02, 50)", residual_init_std(0.02f, 50), 0.002,
                 1e-6);
}

Test(residual_init, no_layers, .timeout = 10) {
    CHECK_NUMBER("residual_init_std(0.02, 0)", residual_init_std(0.02f, 0), 0.02, 1e-6,
                 {"std is divided by zero", &(double){INFINITY}});
}

/* Its purpose: the variances of all branches add up to std^2 for every number of
 * blocks. */
Test(residual_init, branches_add_up_to_one, .timeout = 10) {
    for (size_t n_layer = 1; n_layer <= 1000; n_layer *= 10) {
        double std = (double)residual_init_std(1.0f, n_layer);
        double sum = 2 * (double)n_layer * std * std;
        CHECK(fabs(sum - 1) < 1e-5,
              "%zu blocks with two branches of variance %g each give %g together, "
              "expected 1",
              n_layer, std * std, sum);
    }
}
