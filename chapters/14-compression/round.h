/* Codecs that round each weight by itself or with its block: float16, bfloat16 and
 * ggml's blocks. Rounded to the nearest, with ggml's rules for the scales; those of
 * Q4_K and Q6_K are found by a search of our own. */
#ifndef CHAPTER_14_ROUND_H
#define CHAPTER_14_ROUND_H

#include "14-compression/codec.h"

void *encode_f16(const Matrix *m, double unused);
void *encode_bf16(const Matrix *m, double unused);
void *encode_q8_0(const Matrix *m, double unused);
void *encode_q4_0(const Matrix *m, double unused);
void *encode_q4_1(const Matrix *m, double unused);
void *encode_q4_k(const Matrix *m, double unused);
void *encode_q6_k(const Matrix *m, double unused);
void *encode_q3(const Matrix *m, double unused);

#endif
