/* Exercise 00/matmul_backward. The contract is in
 * chapters/00-tensors/matmul_backward.h. Use matmul, matmul_at_b and matmul_a_bt of
 * common/kernels/matmul.h, or write the loops yourself. */
#include "00-tensors/matmul_backward.h"

#include "base/error.h"
#include "kernels/matmul.h"

void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout,
                     const float *x, const float *weight, size_t rows, size_t n_in,
                     size_t n_out) {
    EXERCISE_TODO("00/matmul_backward");
}
