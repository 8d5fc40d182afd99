/* Kinds of residual connection: see join.h. */
#include "05-residual-blocks/join.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "05-residual-blocks/rezero_layer.h"
#include "base/error.h"
#include "math/fmath.h"

static const char *const names[RESIDUAL_KINDS] = {
    [RESIDUAL_NONE] = "none",     [RESIDUAL_PLAIN] = "plain",
    [RESIDUAL_REZERO] = "rezero", [RESIDUAL_SKIPINIT] = "skipinit",
    [RESIDUAL_FIXUP] = "fixup",   [RESIDUAL_ADMIN] = "admin",
};

const char *residual_name(ResidualKind kind) {
    return kind < RESIDUAL_KINDS ? names[kind] : "unknown";
}

ResidualKind residual_kind(const char *name) {
    char list[128] = "";
    for (size_t k = 0; k < RESIDUAL_KINDS; k++) {
        if (strcmp(name, names[k]) == 0) return (ResidualKind)k;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", names[k]);
    }
    die("residual '%s': expected one of %s", name, list);
}

static Tensor *ones(Params *params, size_t n, const char *name) {
    Tensor *x = params_add(params, 1, (size_t[]){n}, name);
    for (size_t i = 0; x->data && i < n; i++) x->data[i] = 1.0f;
    return x;
}

ResidualJoin residual_join_create(Params *params, ResidualKind kind, size_t d_model,
                                  const char *name) {
    ResidualJoin j = {.kind = kind};
    params_push(params, "%s", name);
    if (kind == RESIDUAL_REZERO || kind == RESIDUAL_SKIPINIT)
        j.alpha = params_add(params, 1, (size_t[]){1}, "alpha");
    if (kind == RESIDUAL_FIXUP) {
        j.alpha = ones(params, 1, "alpha");
        j.bias = params_add(params, 1, (size_t[]){1}, "bias");
    }
    if (kind == RESIDUAL_ADMIN) j.omega = ones(params, d_model, "omega");
    params_pop(params);
    return j;
}

float fixup_init_std(float std, size_t n_branches, size_t n_layers) {
    if (n_layers < 2)
        die("fixup_init_std: a branch of %zu layers, expected 2 or more", n_layers);
    double power = -1.0 / (double)(2 * n_layers - 2);
    return n_branches ? std * (float)exp_double(power * log_double((double)n_branches))
                      : std;
}

/* --- x + bias, one number for all: Fixup --- */

static void bias_node(const TapeNode *node) {
    Tensor *bias = node->inputs[1];
    const float *dout = node->out->grad;
    float *dx = node->inputs[0]->grad;
    double sum = 0;
    size_t n = tensor_size(node->out);
    for (size_t i = 0; i < n; i++) sum += (double)dout[i];
    if (dx) {
#pragma omp parallel for if (n > 1 << 14)
        for (size_t i = 0; i < n; i++) dx[i] += dout[i];
    }
    if (bias->grad) bias->grad[0] += (float)sum;
}

static Tensor *add_scalar(Tape *t, Tensor *x, Tensor *bias) {
    Tensor *out = tape_output(t, "add scalar", x->ndim, x->shape, TAPE_INPUTS(x, bias));
    size_t n = tensor_size(x);
    float shift = bias->data[0];
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = x->data[i] + shift;
    tape_record(t, out, bias_node);
    return out;
}

/* --- omega * x, one factor a channel: Admin --- */

static void omega_node(const TapeNode *node) {
    Tensor *input = node->inputs[0], *factor = node->inputs[1];
    size_t rows = tensor_rows(input), dim = tensor_cols(input);
    const float *dout = node->out->grad, *x = input->data, *omega = factor->data;
    float *dx = input->grad, *domega = factor->grad;
    enum { COLUMNS = 64 };
    /* Threads take columns: the sum over the rows stays in one hand and in order. */
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t start = 0; start < dim; start += COLUMNS) {
        size_t end = dim - start < COLUMNS ? dim : start + COLUMNS;
        double sum[COLUMNS] = {0};
        for (size_t r = 0; r < rows; r++) {
            for (size_t i = start; i < end; i++)
                sum[i - start] += (double)(dout[r * dim + i] * x[r * dim + i]);
            for (size_t i = start; dx && i < end; i++)
                dx[r * dim + i] += omega[i] * dout[r * dim + i];
        }
        for (size_t i = start; domega && i < end; i++)
            domega[i] += (float)sum[i - start];
    }
}

static Tensor *scale_channels(Tape *t, Tensor *x, Tensor *omega) {
    tensor_expect_cols("admin", "x", x, tensor_size(omega));
    Tensor *out =
        tape_output(t, "scale channels", x->ndim, x->shape, TAPE_INPUTS(x, omega));
    size_t rows = tensor_rows(x), dim = tensor_cols(x);
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < dim; i++)
            out->data[r * dim + i] = omega->data[i] * x->data[r * dim + i];
    }
    tape_record(t, out, omega_node);
    return out;
}

//> admin_set_omega
void admin_set_omega(ResidualJoin *joins, size_t n, const double *branch_size) {
    double sum = 1;
    for (size_t l = 0; l < n; l++) {
        Tensor *omega = joins[l].omega;
        for (size_t i = 0; i < tensor_size(omega); i++)
            omega->data[i] = (float)sqrt(sum);
        sum += branch_size[l];
    }
}
//< admin_set_omega

void admin_fold(const ResidualJoin *j, Tensor *gain, Tensor *bias, Tensor *entry) {
    size_t dim = tensor_size(j->omega), cols = tensor_cols(entry);
    if (tensor_rows(entry) != dim)
        die("admin_fold: %zu rows of weights, expected %zu", tensor_rows(entry), dim);
    for (size_t i = 0; i < dim; i++) {
        float omega = j->omega->data[i];
        gain->data[i] *= omega;
        bias->data[i] *= omega;
        for (size_t c = 0; c < cols; c++) entry->data[i * cols + c] /= omega;
        j->omega->data[i] = 1.0f;
    }
}

static Tensor *join(Tape *t, const void *self, Tensor *x, Tensor *branch) {
    const ResidualJoin *j = self;
    tensor_expect_same_shape("residual_join", x, branch);
    switch (j->kind) {
    case RESIDUAL_NONE:
        return branch;
    case RESIDUAL_PLAIN:
        //> plain
        return tape_add(t, x, branch);
        //< plain
    case RESIDUAL_REZERO:
    case RESIDUAL_SKIPINIT:
        return rezero(t, x, branch, j->alpha);
    case RESIDUAL_FIXUP:
        return add_scalar(t, rezero(t, x, branch, j->alpha), j->bias);
    case RESIDUAL_ADMIN:
        if (j->branch_size) *j->branch_size = tensor_mean_square(branch);
        return tape_add(t, scale_channels(t, x, j->omega), branch);
    case RESIDUAL_KINDS:
        break;
    }
    die("residual_join: no such kind: %d", (int)j->kind);
}

Join residual_join(const ResidualJoin *j) {
    return (Join){join, j};
}
