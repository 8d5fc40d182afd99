/* Q8_0 and Q4_0 times a few vectors, without writing the floats to memory: decoding tokens with a cache does
 * this for every weight of a model, and reading the weights is all the time that it should take. */
#ifndef COMMON_WEIGHT_MATVEC_H
#define COMMON_WEIGHT_MATVEC_H

#include "weight.h"

enum { MATVEC_MOST = 2 }; /* vectors; for more, decoding costs little beside the products */

/* out [n, rows] (+)= x [n, cols] W^T for n <= MATVEC_MOST, with the bits of weight_multiply_transposed. */
WeightProduct matvec_q8_0, matvec_q4_0;

#endif
