/* OpenBLAS, where it is installed: a yardstick, found when the program runs. Nothing is
 * linked with it. */
#ifndef CHAPTER_15_BLAS_H
#define CHAPTER_15_BLAS_H

#include "15-speed/ladder.h"

/* Its C[m,n] += A[m,k] B[k,n] with so many threads; NULL where there is no OpenBLAS.
 * Its sums are its own, and so are its bytes. */
Product *blas_product(size_t threads);

#endif
