/* An attack on 11/accumulate: three losses that are sums of data times w, so that each
 * gradient is the data. */
#include "11-training/accumulate.h"

#include <math.h>

#include "check/check.h"
#include "weights/params.h"

static const float data[3][2] = {{1, 2}, {3, -4}, {5, 8}};
static size_t calls;

static Tensor *loss_of(Tape *t, void *w, size_t index) {
    CHECK(t->n_nodes == 0, "micro-batch %zu finds %zu operations on the tape", index,
          t->n_nodes);
    CHECK(index == calls++, "index is %zu at call %zu", index, calls);
    return tape_weighted_sum(t, w, data[index]);
}

Test(attack, three_losses) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(1);
    Tensor *w = params_add(&params, 1, (size_t[]){2}, "w");
    w->data[0] = 0.5f;
    w->data[1] = 2;
    w->grad[0] = 1.5f;
    CHECK_NUMBER("loss", accumulate_gradients(&t, 3, NULL, loss_of, w),
                 (4.5 - 6.5 + 18.5) / 3, 1e-6);
    CHECK_CLOSE("gradient", w->grad, ((double[]){4.5, 2}), 2, 1e-6);
}

/* A mean over no targets is no number. */
static Tensor *loss_of_some(Tape *t, void *w, size_t index) {
    static const float none[2] = {NAN, NAN};
    return tape_weighted_sum(t, w, index == 2 ? none : data[index]);
}

/* Three targets, one, and none. */
Test(attack, unequal_targets) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(1);
    Tensor *w = params_add(&params, 1, (size_t[]){2}, "w");
    w->data[0] = 0.5f;
    w->data[1] = 2;
    size_t n_targets[3] = {3, 1, 0};
    CHECK_NUMBER("loss", accumulate_gradients(&t, 3, n_targets, loss_of_some, w),
                 (3 * 4.5 - 6.5) / 4, 1e-6);
    CHECK_CLOSE("gradient", w->grad, ((double[]){1.5, 0.5}), 2, 1e-6);
}
