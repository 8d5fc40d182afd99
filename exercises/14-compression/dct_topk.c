/* Exercise 14/dct_topk. The contract is in chapters/14-compression/dct_topk.h. */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

void dct_matrix(float *d, size_t side) {
    EXERCISE_TODO("14/dct_topk");
}

void dct_forward(float *out, const float *x, const float *d, size_t side) {
    EXERCISE_TODO("14/dct_topk");
}

void dct_inverse(float *out, const float *t, const float *d, size_t side) {
    EXERCISE_TODO("14/dct_topk");
}

void top_k_places(uint16_t *places, const float *t, size_t n, size_t k) {
    EXERCISE_TODO("14/dct_topk");
}
