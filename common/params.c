/* Parameters by name: see params.h. */
#include "params.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "reduce.h"

enum { NAME_MAX_BYTES = 256 };

static float *aligned_zeros(size_t n) {
    float *memory = checked_aligned_alloc(n, sizeof(float));
    floats_zero(memory, n);
    return memory;
}

Tensor *params_add(Params *params, int ndim, const size_t *shape, const char *name, ...) {
    char text[NAME_MAX_BYTES];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(text, sizeof text, name, arguments);
    va_end(arguments);
    if (params_find(params, text)) die("parameter '%s' is registered twice", text);

    Tensor *x = checked_alloc(1, sizeof *x);
    x->ndim = ndim;
    memcpy(x->shape, shape, (size_t)ndim * sizeof *shape);
    size_t size = tensor_size(x);
    if (params->mode != PARAMS_MAPPED) x->data = aligned_zeros(size);
    if (params->mode == PARAMS_TRAIN) x->grad = aligned_zeros(size);

    if (params->n == params->capacity) {
        params->capacity = params->capacity ? 2 * params->capacity : 32;
        params->items = checked_realloc(params->items, params->capacity, sizeof *params->items);
    }
    params->items[params->n++] = (Param){checked_strdup(text), x};
    return x;
}

Tensor *params_find(const Params *params, const char *name) {
    for (size_t i = 0; i < params->n; i++) {
        if (strcmp(params->items[i].name, name) == 0) return params->items[i].tensor;
    }
    return NULL;
}

size_t params_count(const Params *params) {
    size_t count = 0;
    for (size_t i = 0; i < params->n; i++) count += tensor_size(params->items[i].tensor);
    return count;
}

void params_zero_grad(Params *params) {
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        if (x->grad) floats_zero(x->grad, tensor_size(x));
    }
}

/* Rows of at most this many floats are summed in single precision, the rows in double. */
static double grad_sum_squares(const Tensor *x) {
    enum { ROW = 1024 };
    double sum = 0;
    size_t n = tensor_size(x);
    for (size_t i = 0; x->grad && i < n; i += ROW) {
        sum += (double)row_sum_squares(x->grad + i, 0.0f, n - i < ROW ? n - i : ROW);
    }
    return sum;
}

double tensor_grad_norm(const Tensor *x) { return sqrt(grad_sum_squares(x)); }

double params_grad_norm(const Params *params) {
    double sum = 0;
    for (size_t i = 0; i < params->n; i++) sum += grad_sum_squares(params->items[i].tensor);
    return sqrt(sum);
}

void params_free(Params *params) {
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        if (params->mode != PARAMS_MAPPED) free(x->data);
        free(x->grad);
        free(x);
        free(params->items[i].name);
    }
    free(params->items);
    *params = (Params){.mode = params->mode};
}
