/* Tensors: see tensor.h. */
#include "tensor/tensor.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "base/error.h"
#include "base/memory.h"

size_t shape_size(int ndim, const size_t *shape) {
    size_t size = 1;
    for (int i = 0; i < ndim; i++) size = size_mul(size, shape[i]);
    return size;
}

/* More than caches hold: written past them, which spares reading the old contents. */
static void zero_past_caches(float *x, size_t n) {
#ifdef __SSE__
    size_t i = 0;
    for (; i < n && (uintptr_t)(x + i) % sizeof(__m128) != 0; i++) x[i] = 0.0f;
    for (; n - i >= 4; i += 4) _mm_stream_ps(x + i, _mm_setzero_ps());
    for (; i < n; i++) x[i] = 0.0f;
    _mm_sfence();
#else
    memset(x, 0, n * sizeof *x);
#endif
}

void floats_zero(float *x, size_t n) {
    const size_t part = 1 << 14, large = 1 << 24;
    if (n == 0) return; /* x may be NULL: a list without gradients */
    if (n <= part) {    /* even a team of one thread takes longer to make */
        memset(x, 0, n * sizeof *x);
        return;
    }
#pragma omp parallel for
    for (size_t start = 0; start < n; start += part) {
        size_t size = n - start < part ? n - start : part;
        if (n >= large) {
            zero_past_caches(x + start, size);
        } else {
            memset(x + start, 0, size * sizeof *x);
        }
    }
}

size_t tensor_size(const Tensor *x) {
    return shape_size(x->ndim, x->shape);
}
size_t tensor_rows(const Tensor *x) {
    return shape_size(x->ndim - 1, x->shape);
}
size_t tensor_cols(const Tensor *x) {
    return x->ndim ? x->shape[x->ndim - 1] : 1;
}

const char *tensor_shape_text(const Tensor *x, char text[TENSOR_SHAPE_TEXT]) {
    int used = snprintf(text, TENSOR_SHAPE_TEXT, "[");
    for (int i = 0; i < x->ndim; i++) {
        used += snprintf(text + used, (size_t)(TENSOR_SHAPE_TEXT - used), "%s%zu",
                         i ? ", " : "", x->shape[i]);
    }
    snprintf(text + used, (size_t)(TENSOR_SHAPE_TEXT - used), "]");
    return text;
}

void tensor_expect_cols(const char *who, const char *name, const Tensor *x,
                        size_t cols) {
    char text[TENSOR_SHAPE_TEXT];
    if (x->ndim < 1 || tensor_cols(x) != cols) {
        die("%s: %s is %s, expected a last axis of %zu", who, name,
            tensor_shape_text(x, text), cols);
    }
}

void tensor_expect_same_shape(const char *who, const Tensor *a, const Tensor *b) {
    char text_a[TENSOR_SHAPE_TEXT], text_b[TENSOR_SHAPE_TEXT];
    bool same = a->ndim == b->ndim;
    for (int i = 0; same && i < a->ndim; i++) same = a->shape[i] == b->shape[i];
    if (!same) {
        die("%s: the shapes %s and %s differ", who, tensor_shape_text(a, text_a),
            tensor_shape_text(b, text_b));
    }
}

double tensor_mean_square(const Tensor *x) {
    double sum = 0;
    size_t n = tensor_size(x);
    for (size_t i = 0; i < n; i++) sum += (double)x->data[i] * (double)x->data[i];
    return sum / (double)n;
}
