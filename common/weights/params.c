/* Parameters by name: see params.h. */
#include "weights/params.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernels/reduce.h"
#include "tensor/trace.h"

enum { GRAD_ALIGNMENT = 16 }; /* floats: a cache line, the widest vector */

/* --- names --- */

/* prefix + name + end in new memory. */
static char *join_name(const char *prefix, const char *name, const char *end) {
    size_t bytes = (prefix ? strlen(prefix) : 0) + strlen(name) + strlen(end) + 1;
    char *joined = checked_alloc(bytes, 1);
    snprintf(joined, bytes, "%s%s%s", prefix ? prefix : "", name, end);
    return joined;
}

void params_push(Params *params, const char *name, ...) {
    va_list arguments, again;
    va_start(arguments, name);
    va_copy(again, arguments);
    size_t bytes = (size_t)vsnprintf(NULL, 0, name, again) + 1;
    va_end(again);
    char *text = checked_alloc(bytes, 1);
    vsnprintf(text, bytes, name, arguments);
    va_end(arguments);
    char *longer = join_name(params->prefix, text, *text ? "." : "");
    params->depths =
        checked_realloc(params->depths, params->n_depths + 1, sizeof *params->depths);
    params->depths[params->n_depths++] = params->prefix ? strlen(params->prefix) : 0;
    free(params->prefix);
    free(text);
    params->prefix = longer;
}

void params_pop(Params *params) {
    if (!params->n_depths) die("params_pop: nothing was pushed");
    params->prefix[params->depths[--params->n_depths]] = '\0';
}

/* --- tensors --- */

/* Room for the gradient of n more numbers, set to zero, in the one block of all
 * gradients. */
static float *add_grad(Params *params, size_t n) {
    size_t at = params->n_grads,
           room = size_mul(n / GRAD_ALIGNMENT + 1, GRAD_ALIGNMENT);
    if (room > params->grads_capacity - at) {
        size_t capacity = at + room > 2 * params->grads_capacity
                              ? at + room
                              : 2 * params->grads_capacity;
        float *grads = checked_aligned_alloc(capacity, sizeof *grads);
        if (at) memcpy(grads, params->grads, at * sizeof *grads);
        for (size_t i = 0; i < params->n; i++) {
            Tensor *x = params->items[i].tensor;
            if (x->grad) x->grad = grads + (x->grad - params->grads);
        }
        free(params->grads);
        params->grads = grads;
        params->grads_capacity = capacity;
    }
    params->n_grads += room;
    floats_zero(params->grads + at, room);
    return params->grads + at;
}

static float *own_data(Param *p) {
    p->owned = true;
    return p->tensor->data =
               checked_aligned_alloc(tensor_size(p->tensor), sizeof(float));
}

Tensor *params_add(Params *params, int ndim, const size_t *shape, const char *name) {
    char *full = join_name(params->prefix, name, "");
    if (params_find(params, full)) die("parameter '%s' is registered twice", full);
    if (params->n == params->capacity) {
        params->capacity = params->capacity ? 2 * params->capacity : 32;
        params->items =
            checked_realloc(params->items, params->capacity, sizeof *params->items);
    }

    Tensor *x = checked_alloc(1, sizeof *x);
    *x = (Tensor){.ndim = ndim, .name = full};
    memcpy(x->shape, shape, (size_t)ndim * sizeof *shape);
    size_t size = tensor_size(x);
    Param *p = &params->items[params->n++];
    *p = (Param){.name = full, .tensor = x};
    if (params->mode != PARAMS_MAPPED) floats_zero(own_data(p), size);
    if (params->mode == PARAMS_TRAIN) x->grad = add_grad(params, size);
    return x;
}

void *params_keep(Param *p, size_t bytes) {
    p->kept = checked_aligned_alloc(bytes, 1);
    return p->kept;
}

void params_store(Param *p, const Weight *weight) {
    Weight *copy = checked_alloc(1, sizeof *copy);
    *copy = *weight;
    p->tensor->stored = copy;
}

/* Whether the numbers can be used where they are. */
static bool can_stay(const Weight *w) {
    if (w->type == &weight_f32) return (uintptr_t)w->data % sizeof(float) == 0;
    return w->type != &weight_f64;
}

void params_take(Params *params, Param *p, const Weight *w) {
    Tensor *x = p->tensor;
    bool stays = params->mode == PARAMS_MAPPED && can_stay(w);
    if (stays && w->type == &weight_f32 && !w->transposed) {
        /* Casts const away: mapped parameters have no gradient and are never
         * written. */
        x->data = (float *)(uintptr_t)w->data;
    } else if (stays && x->ndim == 2) {
        params_store(p, w);
    } else {
        weight_to_floats(own_data(p), w);
        free(p->kept);
        p->kept = NULL;
    }
    if (params->mode == PARAMS_TRAIN) x->grad = add_grad(params, tensor_size(x));
}

void params_restore(Param *p, const Weight *weight) {
    free(p->kept);
    p->kept = NULL;
    free((void *)(uintptr_t)p->tensor->stored);
    params_store(p, weight);
}

Tensor *params_find(const Params *params, const char *name) {
    for (size_t i = 0; i < params->n; i++) {
        if (strcmp(params->items[i].name, name) == 0) return params->items[i].tensor;
    }
    return NULL;
}

size_t params_count(const Params *params) {
    size_t count = 0;
    for (size_t i = 0; i < params->n; i++)
        count += tensor_size(params->items[i].tensor);
    return count;
}

size_t params_bytes(const Params *params) {
    size_t bytes = 0;
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        bytes += x->stored ? weight_bytes(x->stored) : tensor_size(x) * sizeof(float);
    }
    return bytes;
}

void params_zero_grad(Params *params) {
    double started = trace_clock();
    floats_zero(params->grads, params->n_grads);
    trace_span("zero gradients", started);
}

/* Rows of at most this many floats are summed in single precision, the rows in
 * double. */
static double grad_sum_squares(const Tensor *x) {
    enum { ROW = 1024 };
    double sum = 0;
    size_t n = tensor_size(x);
    for (size_t i = 0; x->grad && i < n; i += ROW) {
        sum += (double)row_sum_squares(x->grad + i, 0.0f, n - i < ROW ? n - i : ROW);
    }
    return sum;
}

double tensor_grad_norm(const Tensor *x) {
    return sqrt(grad_sum_squares(x));
}

double params_grad_norm(const Params *params) {
    double sum = 0;
    for (size_t i = 0; i < params->n; i++)
        sum += grad_sum_squares(params->items[i].tensor);
    return sqrt(sum);
}

void params_free(Params *params) {
    for (size_t i = 0; i < params->n; i++) {
        Param *p = &params->items[i];
        if (p->owned) free(p->tensor->data);
        free(p->kept);
        free((void *)(uintptr_t)p->tensor->stored);
        free(p->tensor);
        free(p->name);
    }
    free(params->items);
    free(params->grads);
    free(params->prefix);
    free(params->depths);
    *params = (Params){.mode = params->mode};
}
