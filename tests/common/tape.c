/* Tests of common/tape: gradients add up, recording off keeps nothing, the small
 * operations. */
#include "tensor/tape.h"

#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

/* A leaf of n numbers with a gradient of zero. */
static Tensor leaf(size_t n, float *data, float *grad) {
    memset(grad, 0, n * sizeof *grad);
    return (Tensor){.ndim = 1, .shape = {n}, .data = data, .grad = grad};
}

/* y = x + 3 x * x: dy/dx = 1 + 6 x. */
Test(tape, gradients_of_a_reused_tensor_add_up, .timeout = 10) {
    Tape t = tape_create(1);
    float data[3] = {1, -2, 0.5f}, grad[3];
    Tensor x = leaf(3, data, grad);
    Tensor *y = tape_add(&t, &x, tape_scale(&t, tape_mul(&t, &x, &x), 3));
    tape_backward(&t, tape_weighted_sum(&t, y, (float[]){1, 1, 10}));
    CHECK_CLOSE("y", y->data, ((double[]){4, 10, 1.25}), 3, 1e-6);
    CHECK_CLOSE("dx", x.grad, ((double[]){7, -11, 40}), 3, 1e-6);
    tape_free(&t);
}

Test(tape, add_to_itself, .timeout = 10) {
    Tape t = tape_create(1);
    float data[2] = {1, 2}, grad[2];
    Tensor x = leaf(2, data, grad);
    tape_backward(&t, tape_weighted_sum(&t, tape_add(&t, &x, &x), (float[]){3, 5}));
    CHECK_CLOSE("dx", x.grad, ((double[]){6, 10}), 2, 1e-6);
    tape_free(&t);
}

Test(tape, inputs_without_gradient_stay_without, .timeout = 10) {
    Tape t = tape_create(1);
    float data[2] = {1, 2}, grad[2];
    Tensor x = leaf(2, data, grad),
           *constant = tape_input(&t, 1, (size_t[]){2}, (float[]){3, 4});
    Tensor *product = tape_mul(&t, constant, &x);
    CHECK(tape_add(&t, constant, constant)->grad == NULL,
          "a sum of constants has a gradient");
    tape_backward(&t, tape_weighted_sum(&t, product, (float[]){1, 1}));
    CHECK_CLOSE("dx", x.grad, ((double[]){3, 4}), 2, 1e-6);
    CHECK(t.n_nodes == 2, "%zu nodes for two operations that need a gradient",
          t.n_nodes);
    tape_free(&t);
}

Test(tape, recording_off_keeps_nothing, .timeout = 10) {
    Tape t = tape_for_inference();
    float data[2] = {1, 2}, grad[2];
    Tensor x = leaf(2, data, grad);
    Tensor *y = tape_mul(&t, &x, tape_add(&t, &x, &x));
    CHECK(t.n_nodes == 0 && !t.last, "%zu nodes were recorded", t.n_nodes);
    CHECK(y->grad == NULL, "an output has a gradient");
    CHECK_CLOSE("y", y->data, ((double[]){2, 8}), 2, 1e-6);
    tape_free(&t);
}

Test(tape, reset_forgets_nodes_and_keeps_memory, .timeout = 10) {
    Tape t = tape_create(1);
    enum { N = 1000 };
    float *data = normal_floats(N, 1, 1), *weights = normal_floats(N, 1, 2), grad[N];
    double expected[N];
    for (size_t i = 0; i < N; i++) expected[i] = 51 * (double)weights[i];
    size_t grown = 0;
    for (int step = 0; step < 20; step++) {
        Tensor x = leaf(N, data, grad);
        Tensor *y = &x;
        for (int i = 0; i < 50; i++) y = tape_add(&t, y, &x);
        CHECK(t.n_nodes == 50, "%zu nodes after 50 operations in step %d", t.n_nodes,
              step);
        tape_backward(&t, tape_weighted_sum(&t, y, weights));
        CHECK_CLOSE("dx", grad, expected, N, 1e-5);
        tape_reset(&t);
        CHECK(t.n_nodes == 0 && !t.last, "nodes are left after the reset");
        if (step == 0) grown = t.arena.grown;
    }
    CHECK(t.arena.grown == grown, "malloc was called %zu times after the first step",
          t.arena.grown - grown);
    tape_free(&t);
}

Test(tape, reshape_shares_numbers_and_gradients, .timeout = 10) {
    Tape t = tape_create(1);
    float data[6] = {1, 2, 3, 4, 5, 6}, grad[6];
    Tensor x = leaf(6, data, grad), *y = tape_reshape(&t, &x, 2, (size_t[]){2, 3});
    CHECK(tensor_rows(y) == 2 && tensor_cols(y) == 3 && y->data == data &&
              y->grad == grad,
          "the view is not of the same numbers");
    tape_backward(&t, tape_weighted_sum(&t, y, (float[]){6, 5, 4, 3, 2, 1}));
    CHECK_CLOSE("dx", x.grad, ((double[]){6, 5, 4, 3, 2, 1}), 6, 1e-6);
    tape_free(&t);
}

/* A chain of additions and products with a view in it, of which some use what they were
 * made from again. */
static size_t bytes_of_a_step(Tape *t, float *data, float *grad, size_t n) {
    float *ones = tape_alloc(t, n, sizeof *ones);
    for (size_t i = 0; i < n; i++) {
        ones[i] = 1;
        grad[i] = 0;
    }
    Tensor x = leaf(n, data, grad), *y = &x;
    for (int i = 0; i < 6; i++) {
        Tensor *flat = tape_reshape(t, tape_scale(t, y, 0.5f), 1, (size_t[]){n});
        y = tape_add(t, tape_mul(t, flat, y), tape_reshape(t, flat, x.ndim, x.shape));
    }
    tape_backward(t, tape_weighted_sum(t, y, ones));
    size_t bytes = t->arena.total;
    CHECK(!t->reuses_gradients || (!y->grad && x.grad == grad),
          "a gradient that was given back is still there");
    tape_reset(t);
    return bytes;
}

Test(tape, gradients_that_share_memory_are_the_same, .timeout = 10) {
    enum { N = 100 };
    Tape plain = tape_create(1), steps = tape_for_training(1);
    float *data = normal_floats(N, 1, 1), expected[N], grad[N];
    for (int step = 0; step < 2; step++) {
        size_t all = bytes_of_a_step(&plain, data, expected, N);
        size_t shared = bytes_of_a_step(&steps, data, grad, N);
        CHECK(memcmp(grad, expected, sizeof grad) == 0, "step %d: the gradients differ",
              step);
        CHECK(shared < all - 10 * sizeof grad,
              "%zu bytes, with memory of their own %zu", shared, all);
    }
    tape_free(&plain);
    tape_free(&steps);
}

/* The weights may live on the caller's stack: the tape has a copy. */
Test(tape, weighted_sum_copies_its_weights, .timeout = 10) {
    Tape t = tape_create(1);
    float data[2] = {10, 100}, grad[2], weights[2] = {2, 3};
    Tensor x = leaf(2, data, grad), *sum = tape_weighted_sum(&t, &x, weights);
    weights[0] = weights[1] = -1;
    tape_backward(&t, sum);
    CHECK_NUMBER("sum", sum->data[0], 320, 1e-6);
    CHECK_CLOSE("dx", x.grad, ((double[]){2, 3}), 2, 1e-6);
    tape_free(&t);
}

/* The hook is told of a parameter behind its last use,
 * when its gradient is what it will be; of nothing else. */
typedef struct {
    size_t calls;
    float grad;
    Tensor *param;
} Told;

static void tell(void *context, Tensor *param) {
    Told *told = context;
    told->calls++;
    told->param = param;
    told->grad = param->grad[0];
}

Test(tape, says_when_a_parameters_gradient_is_final, .timeout = 10) {
    Tape t = tape_create(1);
    Told told = {0};
    t.on_gradient_ready = tell;
    t.ready_context = &told;
    float data[2] = {1, 2}, grad[2], other[2], other_grad[2];
    for (int pass = 1; pass <= 2; pass++) {
        Tensor w = leaf(2, data, grad), x = leaf(2, other, other_grad);
        w.name = "w";
        Tensor *view = tape_reshape(&t, &w, 2, (size_t[]){2, 1}),
               *flat = tape_reshape(&t, view, 1, (size_t[]){2});
        Tensor *sum = tape_add(&t, tape_add(&t, &w, flat), tape_mul(&t, &w, &x));
        other[0] = other[1] = 3;
        tape_backward(&t, tape_weighted_sum(&t, sum, (float[]){1, 1}));
        CHECK(told.calls == (size_t)pass, "%zu calls after %d passes", told.calls,
              pass);
        CHECK(told.param == &w, "told of another tensor");
        CHECK(told.grad == grad[0], "told at a gradient of %g, in the end it is %g",
              (double)told.grad, (double)grad[0]);
        tape_reset(&t);
    }
    tape_free(&t);
}

/* The watch sees each operation forward and backward, before anybody reads its
 * numbers. */
static void halve(void *calls, const TapeNode *node, TapePass pass) {
    ++*(size_t *)calls;
    Tensor *x = pass == TAPE_FORWARD ? node->out : node->inputs[0];
    float *numbers = pass == TAPE_FORWARD ? x->data : x->grad;
    for (size_t i = 0; i < tensor_size(x); i++) numbers[i] /= 2;
}

Test(tape, watch_may_change_outputs_and_gradients, .timeout = 10) {
    Tape t = tape_create(1);
    size_t calls = 0;
    t.watch = halve;
    t.watch_context = &calls;
    float data[2] = {1, 2}, grad[2];
    Tensor x = leaf(2, data, grad), *y = tape_scale(&t, &x, 4);
    Tensor *sum = tape_weighted_sum(&t, y, (float[]){1, 1});
    CHECK_CLOSE("y", y->data, ((double[]){2, 4}), 2, 1e-6);
    CHECK_NUMBER("sum", sum->data[0], 3, 1e-6);
    tape_backward(&t, sum);
    CHECK_CLOSE("dx", grad, ((double[]){1, 1}), 2, 1e-6);
    CHECK(calls == 4, "%zu calls for two operations and back", calls);
    tape_free(&t);
}

static void begin_twice(void *unused) {
    (void)unused;
    Tape t = tape_create(1);
    float data[2] = {1, 2}, grad[2];
    Tensor x = leaf(2, data, grad),
           *out = tape_output(&t, "first", 1, x.shape, TAPE_INPUTS(&x));
    tape_output(&t, "second", 1, x.shape, TAPE_INPUTS(&x));
    tape_record(&t, out, NULL);
}

static void backward_without_a_way(void *unused) {
    (void)unused;
    Tape t = tape_create(1);
    float data[1] = {1}, grad[1];
    Tensor x = leaf(1, data, grad),
           *out = tape_output(&t, "one way", 1, x.shape, TAPE_INPUTS(&x));
    tape_record(&t, out, NULL);
    tape_backward(&t, out);
}

static void add_different_shapes(void *unused) {
    (void)unused;
    Tape t = tape_create(1);
    float x[6] = {0};
    tape_add(&t, tape_input(&t, 2, (size_t[]){2, 3}, x),
             tape_input(&t, 2, (size_t[]){3, 2}, x));
}

static void reshape_to_another_size(void *unused) {
    (void)unused;
    Tape t = tape_create(1);
    float x[6] = {0};
    tape_reshape(&t, tape_input(&t, 2, (size_t[]){2, 3}, x), 1, (size_t[]){5});
}

static void backward_from_two_numbers(void *unused) {
    (void)unused;
    Tape t = tape_create(1);
    tape_backward(&t, tape_tensor(&t, 1, (size_t[]){2}, true));
}

static void backward_from_a_constant(void *unused) {
    (void)unused;
    Tape t = tape_create(1);
    tape_backward(&t, tape_tensor(&t, 1, (size_t[]){1}, false));
}

Test(tape, says_what_is_wrong, .timeout = 10) {
    expect_exit(EXIT_INPUT, "tape_add: the shapes [2, 3] and [3, 2] differ",
                add_different_shapes, NULL);
    expect_exit(EXIT_INPUT, "[2, 3] does not have as many elements as [5]",
                reshape_to_another_size, NULL);
    expect_exit(EXIT_INPUT, "the loss is [2], expected one element",
                backward_from_two_numbers, NULL);
    expect_exit(EXIT_INPUT, "nothing was recorded", backward_from_a_constant, NULL);
    expect_exit(EXIT_INPUT,
                "operation 'second' was begun, but another output is recorded",
                begin_twice, NULL);
    expect_exit(EXIT_INPUT, "operation 'one way' has no backward pass",
                backward_without_a_way, NULL);
}

/* Who looks at what ran keeps the nodes; there are no gradients all the same. */
Test(tape, keeps_nodes_to_be_looked_at, .timeout = 10) {
    Tape t = tape_for_inference();
    float data[2] = {1, 2};
    Tensor x = {.ndim = 1, .shape = {2}, .data = data};
    tape_scale(&t, &x, 3);
    CHECK(!t.last, "a tape for inference keeps a node");
    t.keeps_nodes = true;
    Tensor *y = tape_scale(&t, &x, 3);
    CHECK(t.last && t.last->out == y && t.last->inputs[0] == &x && !y->grad,
          "the node of the operation is not there");
    tape_free(&t);
}
