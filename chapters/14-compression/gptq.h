/* GPTQ: rounding with error feedback, in groups of 32 along the row. Frantar et al.
 * 2022. */
#ifndef CHAPTER_14_GPTQ_H
#define CHAPTER_14_GPTQ_H

#include "14-compression/codec.h"

/* Blocks of Q4_0, or of Q3 (q3.h). A group's scale is that of its weights as the errors
 * before it have left them. 1 % of H's mean diagonal is added to its diagonal, as in
 * the paper. */
void *gptq_encode_q4_0(const Matrix *m, double unused);
void *gptq_encode_q3(const Matrix *m, double unused);

#endif
