/* A tensor: a shape of at most four axes over row-major floats, and room for the
 * gradient of the same shape.
 *
 * Shapes are written [B, T, C]: batch, time (position), channel (feature). The last
 * axis is contiguous. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include <stddef.h>

enum { TENSOR_MAX_NDIM = 4, TENSOR_SHAPE_TEXT = 100 };

//> tensor
typedef struct {
    int ndim;
    size_t shape[TENSOR_MAX_NDIM];
    float *data;
    float *grad; /* NULL where no gradient is wanted */
    /* of a parameter, else NULL */
    const char *name;
    //< tensor
    /* operations that will still add to grad in this backward pass */
    size_t uses;
    /* a parameter in another form than floats (weight.h): data is NULL */
    const struct Weight *stored;
    //> tensor
} Tensor;
//< tensor

/* The number of elements; of a part of the shape: all axes but the last; the last
 * axis. */
size_t tensor_size(const Tensor *x);
size_t tensor_rows(const Tensor *x);
size_t tensor_cols(const Tensor *x);

/* Writes the shape as "[2, 3, 8]" into `text` and returns it. */
const char *tensor_shape_text(const Tensor *x, char text[TENSOR_SHAPE_TEXT]);

/* Ends the program with "who: name is [2, 3], expected a last axis of 8" when it is not
 * so. */
void tensor_expect_cols(const char *who, const char *name, const Tensor *x,
                        size_t cols);

/* The mean of the squares of all numbers: |x|^2 / d, averaged over the rows, for x
 * [..., d]. */
double tensor_mean_square(const Tensor *x);

/* Ends the program when the two shapes differ. */
void tensor_expect_same_shape(const char *who, const Tensor *a, const Tensor *b);

/* x[i] = 0 for all i < n. */
void floats_zero(float *x, size_t n);

/* The number of elements of a shape; ends the program when it overflows. */
size_t shape_size(int ndim, const size_t *shape);

#endif
