/* A step of GPTQ. Before you read on: make hint-14 EX=gptq_step */
#include "14-compression/gptq_step.h"

void gptq_step(float *w, size_t j, float rounded, const float *u, size_t cols) {
    float err = (w[j] - rounded) / u[j];
    w[j] = rounded;
    for (size_t l = j + 1; l < cols; l++) w[l] -= err * u[l];
}
