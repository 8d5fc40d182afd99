/* Exercise 15/parallel_sum: a sum that several threads share, and that does not depend
 * on how many. */
#ifndef CHAPTER_15_PARALLEL_SUM_H
#define CHAPTER_15_PARALLEL_SUM_H

#include <stddef.h>

/* Numbers in a chunk; the last chunk may have fewer. */
enum { SUM_CHUNK = 4096 };

/* The sum of x [n]. Each chunk of SUM_CHUNK numbers is added up in double, first number
 * first, starting from 0; then the sums of the chunks are added up in double, first
 * chunk first, starting from 0. Threads may share out the chunks (OpenMP); the result
 * is the same to the last bit for any number of them. 0 for n =
 * 0. */
//> parallel_sum
double parallel_sum(const float *x, size_t n);
//< parallel_sum

#endif
