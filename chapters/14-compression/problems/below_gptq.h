/* Open problem 14/below_gptq (***): Q4_0's blocks with 15 % less error at the outputs
 * than GPTQ leaves */
#ifndef CHAPTER_14_BELOW_GPTQ_H
#define CHAPTER_14_BELOW_GPTQ_H

#include <stddef.h>

#include "weights/weight_blocks.h"

/* blocks [rows, cols / BLOCK] of the weights w [rows, cols], row by row, for inputs
 * with the moments h [cols, cols], the mean of x x^T. The errors E of the decoded
 * weights shall make tr(E h E^T) small. What is decoded is Q4_0 as everywhere: there is
 * no other place for anything. */
void below_gptq(BlockQ4_0 *blocks, const float *w, const float *h, size_t rows,
                size_t cols);

#endif
