/* Tests of the kinds of residual connection: values, first values, gradients by central differences, errors.
 */
#include "05-residual-blocks/join.h"

#include <math.h>
#include <string.h>

#include "04-ffn-swiglu/ffn.h"
#include "check.h"
#include "dies.h"
#include "gradcheck.h"

enum { ROWS = 3, DIM = 4, N = ROWS * DIM };

/* p: x, branch, alpha, bias, omega. */
enum { AT_BRANCH = N, AT_ALPHA = 2 * N, AT_BIAS, AT_OMEGA, N_ALL = AT_OMEGA + DIM };

typedef struct {
    ResidualKind kind;
    const float *weights;
} Context;

static double joined_sum(const double *p, size_t n, void *context) {
    (void)n;
    const Context *c = context;
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        double x = p[i], branch = p[AT_BRANCH + i], out = 0;
        switch (c->kind) {
        case RESIDUAL_NONE:
            out = branch;
            break;
        case RESIDUAL_PLAIN:
            out = x + branch;
            break;
        case RESIDUAL_REZERO:
        case RESIDUAL_SKIPINIT:
            out = x + p[AT_ALPHA] * branch;
            break;
        case RESIDUAL_FIXUP:
            out = x + p[AT_ALPHA] * branch + p[AT_BIAS];
            break;
        case RESIDUAL_ADMIN:
            out = p[AT_OMEGA + i % DIM] * x + branch;
            break;
        case RESIDUAL_KINDS:
            break;
        }
        sum += (double)c->weights[i] * out;
    }
    return sum;
}

static void check_kind(ResidualKind kind) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(1);
    ResidualJoin j = residual_join_create(&params, kind, DIM, "join");
    Tensor *x = params_add(&params, 2, (size_t[]){ROWS, DIM}, "x");
    Tensor *branch = params_add(&params, 2, (size_t[]){ROWS, DIM}, "branch");
    float *values = normal_floats(N_ALL, 1, 1), *weights = normal_floats(N, 1, 2);
    Tensor *const tensors[] = {x, branch, j.alpha, j.bias, j.omega};
    const size_t at[] = {0, AT_BRANCH, AT_ALPHA, AT_BIAS, AT_OMEGA};
    const char *const names[] = {"dx", "dbranch", "dalpha", "dbias", "domega"};
    for (size_t i = 0; i < 5; i++) {
        if (tensors[i]) memcpy(tensors[i]->data, values + at[i], tensor_size(tensors[i]) * sizeof(float));
    }
    Context context = {kind, weights};
    double *p = as_double(values, N_ALL), expected[N_ALL];
    numeric_gradient(expected, joined_sum, p, N_ALL, 1e-5, &context);
    Tensor *loss = tape_weighted_sum(&t, join_forward(&t, residual_join(&j), x, branch), weights);
    CHECK_NUMBER("the weighted sum of the output", loss->data[0], joined_sum(p, N_ALL, &context), 1e-5);
    tape_backward(&t, loss);
    for (size_t i = 0; i < 5; i++) {
        if (tensors[i])
            CHECK_CLOSE(names[i], tensors[i]->grad, expected + at[i], tensor_size(tensors[i]), 1e-5);
    }
    params_free(&params);
    tape_free(&t);
}

Test(join, none_gradient, .timeout = 10) {
    check_kind(RESIDUAL_NONE);
}
Test(join, plain_gradient, .timeout = 10) {
    check_kind(RESIDUAL_PLAIN);
}
Test(join, rezero_gradient, .timeout = 10) {
    check_kind(RESIDUAL_REZERO);
}
Test(join, skipinit_gradient, .timeout = 10) {
    check_kind(RESIDUAL_SKIPINIT);
}
Test(join, fixup_gradient, .timeout = 10) {
    check_kind(RESIDUAL_FIXUP);
}
Test(join, admin_gradient, .timeout = 10) {
    check_kind(RESIDUAL_ADMIN);
}

/* Before training: ReZero and SkipInit are the identity; Fixup and Admin are the plain connection. */
Test(join, first_values, .timeout = 10) {
    for (ResidualKind kind = RESIDUAL_PLAIN; kind < RESIDUAL_KINDS; kind++) {
        Params params = {.mode = PARAMS_INFER};
        Tape t = tape_create(1);
        ResidualJoin j = residual_join_create(&params, kind, DIM, "join");
        float *x = normal_floats(N, 1, 3), *branch = normal_floats(N, 1, 4);
        Tensor *out = join_forward(&t, residual_join(&j), tape_input(&t, 2, (size_t[]){ROWS, DIM}, x),
                                   tape_input(&t, 2, (size_t[]){ROWS, DIM}, branch));
        double expected[N];
        bool identity = kind == RESIDUAL_REZERO || kind == RESIDUAL_SKIPINIT;
        for (size_t i = 0; i < N; i++) expected[i] = (double)x[i] + (identity ? 0 : (double)branch[i]);
        CHECK_CLOSE(residual_name(kind), out->data, expected, N, 1e-6);
        params_free(&params);
        tape_free(&t);
    }
}

/* ReZero's first step: alpha has a gradient, the branch's weights have none yet. */
Test(join, rezero_learns_alpha_first, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(1);
    Random init = random_create(5);
    Ffn f = ffn_create(&params, &init, FFN_RELU, DIM, 16, true, 0.5f, 0.5f, "mlp");
    ResidualJoin j = residual_join_create(&params, RESIDUAL_REZERO, DIM, "join");
    Residual r = {.placement = POST_LN, .sublayer = ffn_layer(&f), .join = residual_join(&j)};
    Tensor *x = tape_input(&t, 2, (size_t[]){ROWS, DIM}, normal_floats(N, 1, 6));
    Tensor *out = residual(&t, &r, x);
    CHECK(memcmp(out->data, x->data, N * sizeof(float)) == 0,
          "with alpha = 0 the block must pass x on unchanged");
    tape_backward(&t, tape_weighted_sum(&t, out, normal_floats(N, 1, 7)));
    CHECK(j.alpha->grad[0] != 0.0f, "alpha has no gradient");
    CHECK(tensor_grad_norm(f.up.weight) == 0 && tensor_grad_norm(f.down.weight) == 0,
          "with alpha = 0 the branch's weights have a gradient");
    params_free(&params);
    tape_free(&t);
}

/* Two layers a branch: 1/sqrt(L); three: L^-1/4. */
Test(join, fixup_scale, .timeout = 10) {
    CHECK_NUMBER("fixup_init_std(1, 16, 2)", fixup_init_std(1.0f, 16, 2), 0.25, 1e-6);
    CHECK_NUMBER("fixup_init_std(1, 16, 3)", fixup_init_std(1.0f, 16, 3), 0.5, 1e-6);
    CHECK_NUMBER("fixup_init_std(3, 1, 2)", fixup_init_std(3.0f, 1, 2), 3, 1e-6);
}

Test(join, names, .timeout = 10) {
    for (ResidualKind k = 0; k < RESIDUAL_KINDS; k++) {
        CHECK(residual_kind(residual_name(k)) == k, "the name %s does not lead back to its kind",
              residual_name(k));
    }
}

static void unknown_name(void *argument) {
    (void)argument;
    residual_kind("highway");
}

static void join_of_shapes(ResidualKind kind, size_t dim, size_t x_cols, size_t branch_cols) {
    Params params = {.mode = PARAMS_TRAIN};
    ResidualJoin j = residual_join_create(&params, kind, dim, "join");
    Tape t = tape_create(1);
    float zeros[N] = {0};
    join_forward(&t, residual_join(&j), tape_input(&t, 2, (size_t[]){2, x_cols}, zeros),
                 tape_input(&t, 2, (size_t[]){2, branch_cols}, zeros));
}

static void other_branch(void *argument) {
    (void)argument;
    join_of_shapes(RESIDUAL_NONE, 4, 4, 3);
}

static void other_omega(void *argument) {
    (void)argument;
    join_of_shapes(RESIDUAL_ADMIN, 4, 3, 3);
}

Test(join, errors, .timeout = 10) {
    expect_exit(EXIT_INPUT, "residual 'highway': expected one of none, plain, rezero", unknown_name, NULL);
    expect_exit(EXIT_INPUT, "residual_join: ", other_branch, NULL);
    expect_exit(EXIT_INPUT, "admin: x is [2, 3]", other_omega, NULL);
}
