/* Three kernels of GPT-2 that are no products, in steps as ladder.h has the product:
 * each step is a few lines from the one before, and changes how often a number is
 * fetched.
 *
 * The first step of attention is attention_forward of chapter 07, its last
 * online_attention_forward. None of them shares out work among threads. */
#ifndef CHAPTER_15_KERNELS_H
#define CHAPTER_15_KERNELS_H

#include <stddef.h>

#include "07-attention/causal_attention.h"

/* The same as layernorm_backward (01-layernorm-vs-batchnorm/layernorm.h), with nothing
 * NULL: dx, dgain and dbias are added to. Its sums are in double; here they are those
 * of kernels/reduce.h and columns.h, so that a loop over them is vector code. All three
 * steps give the same bytes. */
typedef void NormBackward(float *dx, float *dgain, float *dbias, const float *dout,
                          const float *x, const float *mean, const float *rstd,
                          const float *gain, size_t rows, size_t dim);
NormBackward norm_back_three_loops, norm_back_two_sums, norm_back_one_sweep;

/* The softmax of each row of x [rows, n]; out may not be x. The numbers are finite, or
 * -infinity: probability 0. Each of the three takes the sum in another order, so that
 * results differ in their last bits. */
typedef void Softmax(float *out, const float *x, size_t rows, size_t n);
Softmax softmax_three_passes, softmax_online, softmax_by_parts;

/* attention_forward without dropout, for so many rows of a head at a time. weights:
 * BAND * length floats, for all heads. The bytes of attention_forward. */
enum { BAND = 64 };
void attention_by_bands(float *out, float *weights, const float *q, const float *k,
                        const float *v, const AttentionShape *shape);

/* The same by tiles of BAND rows and TILE_KEYS columns. scores: BAND * TILE_KEYS floats
 * for every length. The sums have another order: other last bits. */
enum { TILE_KEYS = 256 };
void attention_by_tiles(float *out, float *scores, const float *q, const float *k,
                        const float *v, const AttentionShape *shape);

#endif
