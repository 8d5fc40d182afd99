/* Weights: a read-only matrix of any storage type, with one interface for rows and
 * products.
 *
 * Layer: between tensors and matmul. All readers of a model's matrices (the linear
 * layer, the token table, the output head) use these functions, so that a model runs
 * from any type that its file holds. Training sees plain floats; nothing here writes. A
 * new kind of weight is a new WeightType: a way to read part of a row is enough, all
 * else follows from it. */
#ifndef WEIGHTS_WEIGHT_H
#define WEIGHTS_WEIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "tensor/tensor.h"

typedef struct WeightType WeightType;

typedef struct Weight {
    const WeightType *type;
    const void *data; /* as the type stores it, at any address; floats that are not
                         aligned to 4 bytes are multiplied as slowly as other types */
    size_t rows, cols;
    bool transposed; /* what is stored is W^T [cols, rows], so its rows are W's
                      * columns */
} Weight;

/* Both products of a type: see weight_multiply. */
typedef void WeightProduct(float *out, const float *x, const Weight *w,
                           const float *bias, size_t n);

/* The weights that these functions are given are never transposed: weight.c turns the
 * product round instead. */
struct WeightType {
    const char *name; /* "F16", as files call it */
    /* Bytes of a matrix. A type of fixed layout looks at rows and cols alone: w->data
     * may be NULL. */
    size_t (*bytes)(const Weight *w);
    /* n numbers of a row from column `first` on, as floats;
     * first is a multiple of `block`, and so is n, or it ends the row. */
    void (*read)(float *out, const Weight *w, size_t row, size_t first, size_t n);
    size_t block;
    /* A quicker way than reading parts of rows and multiplying floats, for up to `most`
     * vectors at a time; NULL: there is none. It keeps the order of the sums, or says
     * that it does not. */
    WeightProduct *multiply, *multiply_transposed;
    size_t most;
};

/* Float32, float16, bfloat16; doubles, which only files have. */
extern const WeightType weight_f32, weight_f16, weight_bf16, weight_f64;

/* Numbers of 4 to 8 bits with a scale for each 32 or 256 of them (weight_blocks.h);
 * rows end with a block. */
extern const WeightType weight_q8_0, weight_q4_0, weight_q4_1, weight_q5_0, weight_q5_1,
    weight_q4_k, weight_q6_k;

/* Plain floats [rows, cols], row by row. */
Weight weight_of_floats(const float *data, size_t rows, size_t cols);

/* The matrix of a tensor of two axes: its stored form (tensor->stored), or its
 * floats. */
Weight tensor_weight(const Tensor *x);

/* Bytes that the weight takes where it is stored. */
size_t weight_bytes(const Weight *w);

/* W^T of the same numbers where they are. */
Weight weight_transpose(const Weight *w);

/* Row r as floats, out [cols]. W is not transposed. */
void weight_row(float *out, const Weight *w, size_t r);

/* All of W as floats, out [rows, cols]. */
void weight_to_floats(float *out, const Weight *w);

/* out [n, cols] = x [n, rows] W + bias [cols] (NULL: none), for one vector (n = 1) or
 * many. Every sum is in the order of the rows, from the bias or from 0, with one
 * rounding for each product and sum: the same bits as matmul of the weight's floats. */
WeightProduct weight_multiply;

/* out [n, rows] = x [n, cols] W^T + bias [rows], likewise. */
WeightProduct weight_multiply_transposed;

#endif
