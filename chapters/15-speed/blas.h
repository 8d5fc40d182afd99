/* OpenBLAS, where it is installed: a yardstick, found when the program runs. Nothing is
 * linked with it. */
#ifndef CHAPTER_15_BLAS_H
#define CHAPTER_15_BLAS_H

#include "15-speed/ladder.h"

/* The three forms of kernels/matmul.h. */
typedef enum { A_B, AT_B, A_BT, PRODUCT_FORMS } ProductForm;

/* Its C[m,n] += A[m,k] B[k,n], or the same with A or B transposed, with so many
 * threads; NULL where there is no OpenBLAS. Its sums are its own, and so are its
 * bytes. */
Product *blas_product(ProductForm form, size_t threads);

#endif
