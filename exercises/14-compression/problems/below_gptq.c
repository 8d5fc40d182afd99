/* Open problem 14/below_gptq. The rules are in
 * chapters/14-compression/problems/below_gptq.h. */
#include "14-compression/problems/below_gptq.h"

#include "14-compression/q4_0.h"
#include "program/problem.h"

void below_gptq(BlockQ4_0 *blocks, const float *w, const float *h, size_t rows,
                size_t cols) {
    PROBLEM_TODO("14/below_gptq");
    (void)h;
    for (size_t b = 0; b < rows * cols / BLOCK; b++)
        q4_0_encode(&blocks[b], w + b * BLOCK);
}
