/* From the last weight to weight j, whose old value is needed until then. */
#include "14-compression/gptq_step.h"

void gptq_step(float *w, size_t j, float rounded, const float *u, size_t cols) {
    while (--cols > j) w[cols] += (rounded - w[j]) / u[j] * u[cols];
    w[j] = rounded;
}
