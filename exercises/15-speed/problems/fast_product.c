/* Open problem 15/fast_product. The rules are in
 * chapters/15-speed/problems/fast_product.h. */
#include "15-speed/problems/fast_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/matmul_pack.h"
#include "kernels/simd.h"
#include "program/problem.h"

/* Along rows: each multiply-add loads a number of C and stores it again. */
void fast_product(float *c, const float *a, const float *b, size_t m, size_t n,
                  size_t k) {
    PROBLEM_TODO("15/fast_product");
    for (size_t i = 0; i < m; i++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t j = 0; j < n; j++)
                c[i * n + j] = fmaf(a[i * k + l], b[l * n + j], c[i * n + j]);
        }
    }
}
