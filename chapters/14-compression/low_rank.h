/* Low rank: W [rows, cols] as A [rows, r] B [r, cols], both float16. */
#ifndef CHAPTER_14_LOW_RANK_H
#define CHAPTER_14_LOW_RANK_H

#include "14-compression/codec.h"

extern const WeightType weight_low_rank;

/* The nearest W of that rank (Eckart and Young 1936: the truncated SVD), and the one
 * whose outputs are nearest for inputs with m->moments. The rank is what `bits` bits a
 * weight pay for, at least 1. */
void *low_rank_encode(const Matrix *m, double bits);
void *low_rank_encode_weighted(const Matrix *m, double bits);

#endif
