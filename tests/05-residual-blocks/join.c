/* Tests of the kinds of residual connection: values, first values,
 * gradients by central differences, errors. */
#include "05-residual-blocks/join.h"

#include <math.h>
#include <string.h>

#include "02-pre-ln-vs-post-ln/mlp.h"
#include "01-layernorm-vs-batchnorm/layernorm_layer.h"
#include "04-ffn-swiglu/ffn.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/layer_gradient.h"

enum { ROWS = 3, DIM = 4, N = ROWS * DIM };

enum { X, BRANCH, ALPHA, BIAS, OMEGA };

typedef struct {
    ResidualKind kind;
    const ResidualJoin *join;
    Tensor *x, *branch;
} Context;

static void plain_join(double *out, const double *const *in, void *context) {
    ResidualKind kind = ((const Context *)context)->kind;
    for (size_t i = 0; i < N; i++) {
        double x = in[X][i], branch = in[BRANCH][i];
        switch (kind) {
        case RESIDUAL_NONE:
            out[i] = branch;
            break;
        case RESIDUAL_PLAIN:
            out[i] = x + branch;
            break;
        case RESIDUAL_REZERO:
        case RESIDUAL_SKIPINIT:
            out[i] = x + *in[ALPHA] * branch;
            break;
        case RESIDUAL_FIXUP:
            out[i] = x + *in[ALPHA] * branch + *in[BIAS];
            break;
        case RESIDUAL_ADMIN:
            out[i] = in[OMEGA][i % DIM] * x + branch;
            break;
        case RESIDUAL_KINDS:
            break;
        }
    }
}

static Tensor *run(Tape *t, void *context) {
    const Context *c = context;
    return join_forward(t, residual_join(c->join), c->x, c->branch);
}

static void check_kind(ResidualKind kind) {
    Params params = {.mode = PARAMS_TRAIN};
    ResidualJoin j = residual_join_create(&params, kind, DIM, "join");
    Tensor *x = params_add(&params, 2, (size_t[]){ROWS, DIM}, "x");
    Tensor *branch = params_add(&params, 2, (size_t[]){ROWS, DIM}, "branch");
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain_join,
        .context = &(Context){.kind = kind, .join = &j, .x = x, .branch = branch},
        .of = {[X] = {"dx", x},
               [BRANCH] = {"dbranch", branch},
               [ALPHA] = {"dalpha", j.alpha},
               [BIAS] = {"dbias", j.bias},
               [OMEGA] = {"domega", j.omega}},
    });
    params_free(&params);
}

Test(join, gradients, .timeout = 10) {
    for (ResidualKind kind = 0; kind < RESIDUAL_KINDS; kind++) check_kind(kind);
}

/* Before training: ReZero and SkipInit are the identity; Fixup and Admin are the plain
 * connection. */
Test(join, first_values, .timeout = 10) {
    for (ResidualKind kind = RESIDUAL_PLAIN; kind < RESIDUAL_KINDS; kind++) {
        Params params = {.mode = PARAMS_INFER};
        Tape t = tape_create(1);
        ResidualJoin j = residual_join_create(&params, kind, DIM, "join");
        float *x = normal_floats(N, 1, 3), *branch = normal_floats(N, 1, 4);
        Tensor *out = join_forward(&t, residual_join(&j),
                                   tape_input(&t, 2, (size_t[]){ROWS, DIM}, x),
                                   tape_input(&t, 2, (size_t[]){ROWS, DIM}, branch));
        double expected[N];
        bool identity = kind == RESIDUAL_REZERO || kind == RESIDUAL_SKIPINIT;
        for (size_t i = 0; i < N; i++)
            expected[i] = (double)x[i] + (identity ? 0 : (double)branch[i]);
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
    FfnConfig config = {.kind = FFN_RELU,
                        .d_model = DIM,
                        .d_ff = 16,
                        .has_bias = true,
                        .std = 0.5f,
                        .std_down = 0.5f};
    Ffn f = ffn_create(&params, &init, &config, "mlp");
    ResidualJoin j = residual_join_create(&params, RESIDUAL_REZERO, DIM, "join");
    Residual r = {
        .placement = POST_LN, .sublayer = ffn_layer(&f), .join = residual_join(&j)};
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
        CHECK(residual_kind(residual_name(k)) == k,
              "the name %s does not lead back to its kind", residual_name(k));
    }
}

/* 1 for the input, then what each branch brings: 1, 1 + 3, 1 + 3 + 5. */
Test(join, admin_omega, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    ResidualJoin joins[3];
    double measured = 0;
    for (size_t l = 0; l < 3; l++) {
        params_push(&params, "h.%zu", l);
        joins[l] = residual_join_create(&params, RESIDUAL_ADMIN, DIM, "join");
        params_pop(&params);
    }
    admin_set_omega(joins, 3, (double[]){3, 5, 7});
    const double expected[] = {1, 2, 3};
    for (size_t l = 0; l < 3; l++) {
        for (size_t i = 0; i < DIM; i++)
            CHECK_NUMBER("omega", joins[l].omega->data[i], expected[l], 1e-6);
    }
    Tape t = tape_for_inference();
    joins[0].branch_size = &measured;
    join_forward(&t, residual_join(&joins[0]),
                 tape_input(&t, 2, (size_t[]){1, DIM}, (float[DIM]){9, 9, 9, 9}),
                 tape_input(&t, 2, (size_t[]){1, DIM}, (float[DIM]){1, -1, 3, -3}));
    CHECK_NUMBER("the branch's mean square", measured, 5, 1e-6);
    tape_free(&t);
    params_free(&params);
}

/* norm -> omega x + F(x), before omega is folded into the norm and into F's first
 * weight and behind it. */
Test(join, admin_folds_without_a_trace, .timeout = 10) {
    enum { HIDDEN = 5 };
    Params params = {.mode = PARAMS_INFER};
    Random init = random_create(9);
    LayerNorm norm = layernorm_create(&params, 1, (size_t[]){DIM}, 1e-5f, "ln");
    Mlp m = mlp_create(&params, &init, DIM, HIDDEN, "mlp");
    ResidualJoin j = residual_join_create(&params, RESIDUAL_ADMIN, DIM, "join");
    random_fill_normal(&init, norm.bias->data, DIM, 1.0f);
    random_fill_normal(&init, j.omega->data, DIM, 2.0f);
    Tape t = tape_for_inference();
    Tensor *x = tape_input(&t, 2, (size_t[]){ROWS, DIM}, normal_floats(N, 1, 8)),
           *out[2];
    double expected[N];
    for (size_t i = 0; i < 2; i++) {
        Tensor *stream = layer_forward(&t, layernorm_layer(&norm), x);
        out[i] = join_forward(&t, residual_join(&j), stream,
                              layer_forward(&t, mlp_layer(&m), stream));
        if (i == 0) admin_fold(&j, norm.gain, norm.bias, m.up.weight);
    }
    for (size_t i = 0; i < N; i++) expected[i] = (double)out[0]->data[i];
    CHECK_CLOSE("folded", out[1]->data, expected, N, 1e-5);
    for (size_t i = 0; i < DIM; i++)
        CHECK_NUMBER("omega behind it", j.omega->data[i], 1, 0);
    tape_free(&t);
    params_free(&params);
}

static void unknown_name(void *argument) {
    (void)argument;
    residual_kind("highway");
}

static void join_of_shapes(ResidualKind kind, size_t dim, size_t x_cols,
                           size_t branch_cols) {
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
    expect_exit(EXIT_INPUT, "residual 'highway': expected one of none, plain, rezero",
                unknown_name, NULL);
    expect_exit(EXIT_INPUT, "residual_join: ", other_branch, NULL);
    expect_exit(EXIT_INPUT, "admin: x is [2, 3]", other_omega, NULL);
}
