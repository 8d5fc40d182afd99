/* A codebook: every weight is one of 2^bits float16 values, found by k-means; one
 * codebook for the matrix, or one for each row. Han et al. 2016, "Deep Compression",
 * section 3. */
#ifndef CHAPTER_14_KMEANS_H
#define CHAPTER_14_KMEANS_H

#include "14-compression/codec.h"

enum { KMEANS_MOST_BITS = 8 };
extern const WeightType weight_kmeans, weight_kmeans_rows;

void *kmeans_encode(const Matrix *m, double bits);
void *kmeans_encode_rows(const Matrix *m, double bits);

/* The centres [k] that Lloyd's iteration finds for x [n]: ascending, from quantiles
 * on. */
void kmeans_centres(float *centres, size_t k, const float *x, size_t n);

#endif
