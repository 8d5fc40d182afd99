/* A pass over the parameters for the decay, one for the moments, one for the step. */
#include "00-tensors/adamw.h"

#include <math.h>

void adamw_update(float *param, float *m, float *v, const float *grad, size_t n,
                  const AdamWSettings *settings, size_t step) {
    for (size_t i = 0; i < n; i++)
        param[i] -= settings->learning_rate * settings->weight_decay * param[i];
    for (size_t i = 0; i < n; i++) {
        m[i] += (1.0f - settings->beta1) * (grad[i] - m[i]);
        v[i] += (1.0f - settings->beta2) * (grad[i] * grad[i] - v[i]);
    }
    float share1 = (float)(1.0 - power_double((double)settings->beta1, step));
    float share2 = (float)(1.0 - power_double((double)settings->beta2, step));
    for (size_t i = 0; i < n; i++)
        param[i] -= settings->learning_rate * (m[i] / share1) /
                    (sqrtf(v[i] / share2) + settings->eps);
}
