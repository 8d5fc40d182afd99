/* One step of GPTQ: a weight is rounded, and those behind it in the row make up for it.
 * Exercise 14/gptq_step. Several threads may call it at once.
 *
 * Frantar et al. 2022, "GPTQ: Accurate Post-Training Quantization for Generative
 * Pre-trained Transformers", section 3.3. With H = the mean of x x^T over the inputs,
 * the rounding errors e of a row cost e^T H e. H^-1 = U^T U with an upper triangular U;
 * row j of U says how the later weights should move. */
#ifndef CHAPTER_14_GPTQ_STEP_H
#define CHAPTER_14_GPTQ_STEP_H

#include <stddef.h>

/* Weight j of the row w [cols] becomes `rounded`; with err = (w[j] - rounded) / u[j],
 * every later w[l] becomes w[l] - err * u[l]. u [cols] is row j of U. Weights before j
 * stay. */
//> signature
void gptq_step(float *w, size_t j, float rounded, const float *u, size_t cols);
//< signature

#endif
