/* Matrix products, single precision, row-major, packed. All three forms that training
 * needs. */
#ifndef KERNELS_MATMUL_H
#define KERNELS_MATMUL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The definition of a product: C[m,n] = A[m,k] B[k,n], or added to C when `accumulate`
 * is set. Every element of C is the sum over k in increasing order of fused
 * multiply-adds (one rounding for a * b + sum), starting from 0 or from C. */
static inline void matmul_plain(float *c, const float *a, const float *b, size_t m,
                                size_t n, size_t k, bool accumulate) {
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            float sum = accumulate ? c[i * n + j] : 0.0f;
            for (size_t l = 0; l < k; l++) sum = fmaf(a[i * k + l], b[l * n + j], sum);
            c[i * n + j] = sum;
        }
    }
}

/* The functions below compute the same to the last bit, for any number of threads,
 * compiler and width of the machine's vectors, some hundred times as fast. The tests
 * hold it to that, so you may stop here: how it is done is chapter 15. */

/* C[m,n] (+)= A[m,k] B[k,n] */
void matmul(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
            bool accumulate);

/* C[m,n] = bias + A[m,k] B[k,n], a linear layer: the sums of every row begin with
 * bias[n], or, if that is NULL, with 0. With k = 0, C is that alone. */
void matmul_bias(float *c, const float *a, const float *b, const float *bias, size_t m,
                 size_t n, size_t k);

/* C[m,n] (+)= A^T B with A[k,m], B[k,n]: the gradient of a weight. */
void matmul_at_b(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                 bool accumulate);

/* C[m,n] (+)= A B^T with A[m,k], B[n,k]: the gradient of an input, scores q k^T, the
 * tied output head. */
void matmul_a_bt(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                 bool accumulate);

/* The same with a square matrix S[n,n]: the scores and weights of attention. `lower`:
 * only its lower triangle counts, as under a causal mask, and almost half of the work
 * is saved. With finite numbers, the bits are those of the forms above. */

/* C[n,m] (+)= S B with B[n,m], and C[n,m] += S^T B. A lower S holds zeros above the
 * diagonal. */
void matmul_square(float *c, const float *s, const float *b, size_t n, size_t m,
                   bool lower, bool accumulate);
void matmul_square_at_b(float *c, const float *s, const float *b, size_t n, size_t m,
                        bool lower);

/* S = A B^T with A[n,k], B[n,k]. Above the diagonal a lower S is undefined. */
void matmul_square_a_bt(float *s, const float *a, const float *b, size_t n, size_t k,
                        bool lower);

/* Ends the program with one line if this build of the products rounds a multiply-add
 * twice, so that its results would not be those of other machines: a compiler may undo
 * matmul.c's fused operations. Takes some microseconds; every program asks once when it
 * starts. */
void matmul_expect_fused(void);

#endif
