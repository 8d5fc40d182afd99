/* Tests of the given residual connection: the placement, the joins, and what it
 * refuses. */
#include "02-pre-ln-vs-post-ln/residual.h"

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

static Tensor *halve(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_scale(t, x, 0.5f);
}

static Tensor *square(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_mul(t, x, x);
}

static Tensor *widen(Tape *t, const void *self, Tensor *x) {
    (void)self;
    return tape_tensor(t, 2, (size_t[]){x->shape[0], x->shape[1] + 1}, false);
}

enum { N = 4 };
static const float X[N] = {1, 2, 3, -4};

static Tensor *input(Tape *t) {
    Tensor *x = tape_tensor(t, 2, (size_t[]){2, 2}, true);
    for (size_t i = 0; i < N; i++) x->data[i] = X[i];
    return x;
}

static Residual with(Placement placement) {
    return (Residual){.placement = placement,
                      .norm = {halve, NULL},
                      .sublayer = {square, NULL},
                      .join = join_add()};
}

/* post-LN: (x + x^2) / 2, gradient 1/2 + x. */
Test(residual, post_ln, .timeout = 10) {
    static const double out_expected[N] = {1, 3, 6, 6},
                        dx_expected[N] = {1.5, 2.5, 3.5, -3.5};
    Tape t = tape_create(1);
    Residual r = with(POST_LN);
    Tensor *x = input(&t), *out = residual_post_ln(&t, &r, x);
    for (size_t i = 0; i < N; i++) out->grad[i] = 1;
    tape_backward_from_grad(&t);
    CHECK_CLOSE("out", out->data, out_expected, N, 1e-6);
    CHECK_CLOSE("dx", x->grad, dx_expected, N, 1e-6);
}

Test(residual, placement_chooses, .timeout = 10) {
    static const double post[N] = {1, 3, 6, 6}, pre[N] = {1.25, 3, 5.25, 0};
    Tape t = tape_create(1);
    Residual r = with(POST_LN);
    CHECK_CLOSE("post-LN", residual(&t, &r, input(&t))->data, post, N, 1e-6);
    r.placement = PRE_LN;
    CHECK_CLOSE("pre-LN", residual(&t, &r, input(&t))->data, pre, N, 1e-6);
}

static void join_other_shape(void *argument) {
    Tape t = tape_create(1);
    Residual r = with(*(Placement *)argument);
    r.norm = (Layer){0};
    r.sublayer = (Layer){widen, NULL};
    residual(&t, &r, input(&t));
}

Test(residual, refuses_a_branch_of_another_shape, .timeout = 10) {
    for (Placement placement = POST_LN; placement <= PRE_LN; placement++) {
        expect_exit(EXIT_INPUT,
                    "residual: stream and branch: the shapes [2, 2] and [2, 3] differ",
                    join_other_shape, &placement);
    }
}
