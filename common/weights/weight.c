/* Weights of any storage type: see weight.h. */
#include "weights/weight.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/half.h"
#include "kernels/matmul.h"
#include "base/memory.h"
#include "base/size.h"

/* --- the kinds --- */

static size_t bytes_f32(const Weight *w) {
    return size_mul(size_mul(w->rows, w->cols), sizeof(float));
}

static size_t bytes_16(const Weight *w) {
    return size_mul(size_mul(w->rows, w->cols), sizeof(uint16_t));
}

static void read_f32(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    memcpy(out, (const char *)w->data + (row * w->cols + first) * sizeof(float),
           n * sizeof(float));
}

static size_t bytes_f64(const Weight *w) {
    return size_mul(size_mul(w->rows, w->cols), sizeof(double));
}

static void read_f64(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    const char *from = (const char *)w->data + (row * w->cols + first) * sizeof(double);
    for (size_t i = 0; i < n; i++) {
        double number;
        memcpy(&number, from + i * sizeof number, sizeof number);
        out[i] = (float)number;
    }
}

/* A file's tensors begin at any byte. */
typedef uint16_t AnyUint16 __attribute__((aligned(1), may_alias));

static void read_f16(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    const AnyUint16 *from = (const AnyUint16 *)w->data + row * w->cols + first;
    for (size_t i = 0; i < n; i++) out[i] = half_to_float(from[i]);
}

static void read_bf16(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    const AnyUint16 *from = (const AnyUint16 *)w->data + row * w->cols + first;
    for (size_t i = 0; i < n; i++) out[i] = bfloat_to_float(from[i]);
}

/* Every row of out [n, dim] is the bias, if there is one. */
static void copy_to_rows(float *out, const float *bias, size_t n, size_t dim) {
    for (size_t i = 0; bias && i < n; i++)
        memcpy(out + i * dim, bias, dim * sizeof *out);
}

static void multiply_f32(float *out, const float *x, const Weight *w, const float *bias,
                         size_t n) {
    matmul_bias(out, x, w->data, bias, n, w->cols, w->rows);
}

static void multiply_transposed_f32(float *out, const float *x, const Weight *w,
                                    const float *bias, size_t n) {
    copy_to_rows(out, bias, n, w->rows);
    matmul_a_bt(out, x, w->data, n, w->rows, w->cols, bias != NULL);
}

const WeightType weight_f32 = {.name = "F32",
                               .bytes = bytes_f32,
                               .read = read_f32,
                               .block = 1,
                               .multiply = multiply_f32,
                               .multiply_transposed = multiply_transposed_f32,
                               .most = SIZE_MAX};
const WeightType weight_f64 = {
    .name = "F64", .bytes = bytes_f64, .read = read_f64, .block = 1};
const WeightType weight_f16 = {
    .name = "F16", .bytes = bytes_16, .read = read_f16, .block = 1};
const WeightType weight_bf16 = {
    .name = "BF16", .bytes = bytes_16, .read = read_bf16, .block = 1};

Weight weight_of_floats(const float *data, size_t rows, size_t cols) {
    return (Weight){.type = &weight_f32, .data = data, .rows = rows, .cols = cols};
}

Weight tensor_weight(const Tensor *x) {
    return x->stored ? *x->stored : weight_of_floats(x->data, x->shape[0], x->shape[1]);
}

Weight weight_transpose(const Weight *w) {
    return (Weight){.type = w->type,
                    .data = w->data,
                    .rows = w->cols,
                    .cols = w->rows,
                    .transposed = !w->transposed};
}

size_t weight_bytes(const Weight *w) {
    Weight stored = w->transposed ? weight_transpose(w) : *w;
    return w->type->bytes(&stored);
}

void weight_row(float *out, const Weight *w, size_t r) {
    w->type->read(out, w, r, 0, w->cols);
}

void weight_to_floats(float *out, const Weight *w) {
    if (!w->transposed) {
        for (size_t r = 0; r < w->rows; r++) weight_row(out + r * w->cols, w, r);
        return;
    }
    Weight stored = weight_transpose(w);
    float *column = checked_alloc(w->rows, sizeof *column);
    for (size_t c = 0; c < w->cols; c++) {
        weight_row(column, &stored, c);
        for (size_t r = 0; r < w->rows; r++) out[r * w->cols + c] = column[r];
    }
    free(column);
}

/* --- products of other types than floats --- */

/* A strip of the weight, small enough for the cache, becomes floats and is
 * multiplied. */
enum { STRIP_ROWS = 32, STRIP_COLUMNS = 256 };

/* Memory for n floats, the thread's own and kept; its last contents are gone. */
static float *thread_scratch(size_t n) {
    static _Thread_local float *memory;
    static _Thread_local size_t capacity;
    if (n > capacity) {
        free(memory);
        memory = checked_aligned_alloc(n, sizeof *memory);
        capacity = n;
    }
    return memory;
}

/* Copies columns first .. first + count of x [n, dim]. */
static void copy_columns(float *out, const float *x, size_t n, size_t dim, size_t first,
                         size_t count) {
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * count, x + i * dim + first, count * sizeof *out);
}

/* Columns first .. first + count of the product:
 * from the first row of the weight to the last, as the sums demand. */
static void multiply_columns(float *out, const float *x, const Weight *w,
                             const float *bias, size_t n, size_t first, size_t count) {
    float *strip =
        thread_scratch((size_t)STRIP_ROWS * count + n * (STRIP_ROWS + count));
    float *part = strip + STRIP_ROWS * count, *sums = part + n * STRIP_ROWS;
    copy_to_rows(sums, bias ? bias + first : NULL, n, count);
    for (size_t r = 0; r < w->rows; r += STRIP_ROWS) {
        size_t rows = size_min(STRIP_ROWS, w->rows - r);
        for (size_t i = 0; i < rows; i++)
            w->type->read(strip + i * count, w, r + i, first, count);
        copy_columns(part, x, n, w->rows, r, rows);
        matmul(sums, part, strip, n, count, rows, bias || r > 0);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * w->cols + first, sums + i * count, count * sizeof *out);
}

/* Whether the type's own product can be used: that of floats reads them in place. */
static bool has_product(const Weight *w, WeightProduct *product, size_t n) {
    bool aligned = w->type != &weight_f32 || (uintptr_t)w->data % sizeof(float) == 0;
    return product && n <= w->type->most && aligned;
}

void weight_multiply(float *out, const float *x, const Weight *w, const float *bias,
                     size_t n) {
    if (w->transposed) {
        Weight stored = weight_transpose(w);
        weight_multiply_transposed(out, x, &stored, bias, n);
        return;
    }
    if (has_product(w, w->type->multiply, n)) {
        w->type->multiply(out, x, w, bias, n);
        return;
    }
    if (w->rows == 0) {
        matmul_bias(out, x, NULL, bias, n, w->cols, 0);
        return;
    }
    size_t block = w->type->block, width = size_ceil_div(STRIP_COLUMNS, block) * block;
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < w->cols; first += width) {
        multiply_columns(out, x, w, bias, n, first, size_min(width, w->cols - first));
    }
}

/* Rows first .. first + count of the weight: columns of the product. */
static void multiply_rows(float *out, const float *x, const Weight *w,
                          const float *bias, size_t n, size_t first, size_t count) {
    float *strip = thread_scratch(count * w->cols + n * count),
          *sums = strip + count * w->cols;
    for (size_t i = 0; i < count; i++) weight_row(strip + i * w->cols, w, first + i);
    copy_to_rows(sums, bias ? bias + first : NULL, n, count);
    matmul_a_bt(sums, x, strip, n, count, w->cols, bias != NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * w->rows + first, sums + i * count, count * sizeof *out);
}

void weight_multiply_transposed(float *out, const float *x, const Weight *w,
                                const float *bias, size_t n) {
    if (w->transposed) {
        Weight stored = weight_transpose(w);
        weight_multiply(out, x, &stored, bias, n);
        return;
    }
    if (has_product(w, w->type->multiply_transposed, n)) {
        w->type->multiply_transposed(out, x, w, bias, n);
        return;
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < w->rows; first += STRIP_ROWS) {
        multiply_rows(out, x, w, bias, n, first, size_min(STRIP_ROWS, w->rows - first));
    }
}
