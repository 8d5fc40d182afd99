/* Gradients of layers: see layer_gradient.h. */
#include "check/layer_gradient.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"

typedef struct {
    const LayerGradient *check;
    double *out;
    const double *weights;
    size_t n_out;
} Differenced;

/* The plain version on numbers that stand one tensor after the other. */
static void run_plain(const LayerGradient *check, double *out, const double *values) {
    const double *in[MAX_GRADIENTS] = {0};
    for (size_t i = 0; i < MAX_GRADIENTS && check->of[i].name; i++) {
        if (!check->of[i].tensor) continue;
        in[i] = values;
        values += tensor_size(check->of[i].tensor);
    }
    check->plain(out, in, check->context);
}

static double weighted_sum(const double *values, size_t n, void *context) {
    const Differenced *d = context;
    double sum = 0;
    (void)n;
    run_plain(d->check, d->out, values);
    for (size_t i = 0; i < d->n_out; i++) sum += d->weights[i] * d->out[i];
    return sum;
}

void check_layer_gradient(const LayerGradient *check) {
    const GradientOf *of[MAX_GRADIENTS];
    size_t n = 0, n_of = 0, at = 0;
    for (size_t i = 0; i < MAX_GRADIENTS && check->of[i].name; i++) {
        if (!check->of[i].tensor) continue;
        of[n_of++] = &check->of[i];
        n += tensor_size(check->of[i].tensor);
    }
    float *start = normal_floats(n, check->std > 0 ? check->std : 1, 1);
    for (size_t i = 0; i < n_of; i++) {
        size_t size = tensor_size(of[i]->tensor), bytes = size * sizeof(float);
        memcpy(of[i]->tensor->data, start + at, bytes);
        memcpy(of[i]->tensor->grad, ones_and_a_half(size), bytes);
        at += size;
    }

    Tape t = tape_create(1);
    Tensor *out = check->layer(&t, check->context);
    size_t n_out = tensor_size(out);
    float *weights = normal_floats(n_out, 1, 2);
    double *values = as_double(start, n), *numeric = checked_alloc(n, sizeof *numeric);
    double tolerance = check->tolerance > 0 ? check->tolerance : 1e-5;
    Differenced d = {.check = check,
                     .out = checked_alloc(n_out, sizeof(double)),
                     .weights = as_double(weights, n_out),
                     .n_out = n_out};
    run_plain(check, d.out, values);
    CHECK_CLOSE("the output", out->data, d.out, n_out, tolerance);
    numeric_gradient(numeric, weighted_sum, values, n,
                     check->step > 0 ? check->step : 1e-5, &d);
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    at = 0;
    for (size_t i = 0; i < n_of; i++) {
        size_t size = tensor_size(of[i]->tensor);
        CHECK_ADDED(of[i]->name, of[i]->tensor->grad, numeric + at, size, tolerance);
        at += size;
    }
    tape_free(&t);
}
