/* Tests of the chapter's network: its gradient against differences,
 * the wrong backward pass, repeatable runs, learning. */
#include "00-tensors/spiral_net.h"

#include <math.h>
#include <string.h>

#include "00-tensors/softmax_layer.h"
#include "check/check.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"

enum { POINTS = 20, HIDDEN = 8 };

/* The largest relative difference of a parameter's gradient from the one by
 * differences. */
static double gradient_error(uint64_t seed, bool wrong) {
    SpiralData data = spiral_data_create(POINTS, seed);
    SpiralRun run = spiral_run_create(HIDDEN, 0.01, seed);
    run.net.wrong_backward = wrong;
    double right, worst = 0,
                  *numeric = checked_alloc(params_count(&run.params), sizeof *numeric);
    spiral_gradients(&run, &data, POINTS, &right);
    spiral_numeric_gradient(numeric, &run, &data, POINTS);
    for (size_t i = 0; i < run.params.n; i++) {
        const Tensor *x = run.params.items[i].tensor;
        worst = fmax(worst, relative_difference(x->grad, numeric, tensor_size(x)));
        numeric += tensor_size(x);
    }
    return worst;
}

Test(spiral_net, gradient_equals_differences, .timeout = 10) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double right = gradient_error(seed, false), wrong = gradient_error(seed, true);
        CHECK(right < 1e-5, "seed %d: the gradient is off by %g", (int)seed, right);
        CHECK(wrong > 0.05, "seed %d: the wrong backward pass is off by %g only",
              (int)seed, wrong);
    }
}

Test(spiral_net, the_plain_loss_is_the_loss, .timeout = 10) {
    CHECK_NUMBER("-ln softmax",
                 plain_cross_entropy((double[]){0, log(2), log(4)}, 3, 2), log(7.0 / 4),
                 1e-6);
    CHECK_NUMBER("of large logits", plain_cross_entropy((double[]){1000, 0}, 2, 1),
                 1000, 1e-6);
}

Test(spiral_net, the_same_seed_gives_the_same_points, .timeout = 10) {
    SpiralData a = spiral_data_create(POINTS, 5), b = spiral_data_create(POINTS, 5),
               c = spiral_data_create(POINTS, 6);
    CHECK(memcmp(a.x, b.x, 2 * POINTS * sizeof(float)) == 0,
          "the same seed gives other points");
    CHECK(memcmp(a.x, c.x, 2 * POINTS * sizeof(float)) != 0,
          "another seed gives the same points");
    for (size_t i = 0; i < POINTS; i++) {
        CHECK(a.classes[i] == (int)(i % 2), "point %zu is of class %d", i,
              a.classes[i]);
        CHECK(hypot((double)a.x[2 * i], (double)a.x[2 * i + 1]) < 1.2,
              "point %zu lies outside of the spirals", i);
    }
}

Test(spiral_net, adamw_learns_the_spirals, .timeout = 10) {
    SpiralData data = spiral_data_create(200, 1);
    SpiralRun run = spiral_run_create(64, 0.02, 1);
    double right;
    float first = spiral_gradients(&run, &data, 200, &right), last = first;
    for (size_t step = 0; step < 500; step++) {
        adamw_step(&run.adamw, &run.params);
        last = spiral_gradients(&run, &data, 200, &right);
    }
    CHECK(first > 0.4f && first < 1.2f, "the untrained loss is %g, expected about ln 2",
          (double)first);
    CHECK(last < 0.1f * first, "the loss fell from %g to %g only", (double)first,
          (double)last);
    CHECK(right == 1, "%.0f %% of the points are classified rightly", 100 * right);
}

Test(spiral_net, accuracy_counts_the_largest_logit, .timeout = 10) {
    float logits[12] = {1, 2, 3, 3, 2, 1, 2, 2, 1, 0, 5, 5};
    Tensor x = {.ndim = 2, .shape = {4, 3}, .data = logits};
    CHECK_NUMBER("all right, the first of equals counting",
                 accuracy(&x, (int[]){2, 0, 0, 1}), 1, 1e-9);
    CHECK_NUMBER("half right", accuracy(&x, (int[]){2, 1, 0, 2}), 0.5, 1e-9);
}
