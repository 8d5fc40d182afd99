/* The attack on 00/matmul_backward that lesson 00 puts together: one number; one
 * element at a time, of matrices that are square, large, and of three different sizes;
 * and NULL. */
#include "00-tensors/matmul_backward.h"

#include "check/check.h"

//> one_number
Test(attack, one_number) {
    float dx = 0, dweight = 0, dbias = 0, dout = 2, x = 3, weight = 5;
    matmul_backward(&dx, &dweight, &dbias, &dout, &x, &weight, 1, 1, 1);
    CHECK_NUMBER("dx", dx, 10, 1e-6);
    CHECK_NUMBER("dweight", dweight, 6, 1e-6);
    CHECK_NUMBER("dbias", dbias, 2, 1e-6);
}
//< one_number

//> by_element
static void check_sizes(size_t rows, size_t n_in, size_t n_out) {
    float *x = normal_floats(rows * n_in, 1, 1),
          *weight = normal_floats(n_in * n_out, 1, 2);
    float *dout = normal_floats(rows * n_out, 1, 3), *dx = ones_and_a_half(rows * n_in);
    float *dweight = ones_and_a_half(n_in * n_out), *dbias = ones_and_a_half(n_out);
    double *right_dx = as_double(dx, rows * n_in),
           *right_dweight = as_double(dweight, n_in * n_out);
    double *right_dbias = as_double(dbias, n_out);
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < n_out; j++) {
            double d = (double)dout[r * n_out + j];
            right_dbias[j] += d;
            for (size_t i = 0; i < n_in; i++) {
                right_dx[r * n_in + i] += d * (double)weight[i * n_out + j];
                right_dweight[i * n_out + j] += d * (double)x[r * n_in + i];
            }
        }
    }
    matmul_backward(dx, dweight, dbias, dout, x, weight, rows, n_in, n_out);
    CHECK_CLOSE("dx", dx, right_dx, rows * n_in, 1e-5);
    CHECK_CLOSE("dweight", dweight, right_dweight, n_in * n_out, 1e-5);
    CHECK_CLOSE("dbias", dbias, right_dbias, n_out, 1e-5);
}

Test(attack, square_matrices) {
    check_sizes(5, 5, 5);
}
//< by_element

//> the_rest
Test(attack, all_sizes_differ) {
    check_sizes(70, 7, 601);
}

Test(attack, nobody_wants_a_gradient) {
    float one = 1;
    matmul_backward(NULL, NULL, NULL, &one, &one, &one, 1, 1, 1);
}
//< the_rest
