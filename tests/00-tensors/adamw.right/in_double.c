/* The header's four lines, in double. */
#include "00-tensors/adamw.h"

#include <math.h>

void adamw_update(float *param, float *m, float *v, const float *grad, size_t n,
                  const AdamWSettings *settings, size_t step) {
    double rate = (double)settings->learning_rate, beta1 = (double)settings->beta1,
           beta2 = (double)settings->beta2;
    for (size_t i = 0; i < n; i++) {
        double g = (double)grad[i];
        m[i] = (float)(beta1 * (double)m[i] + (1 - beta1) * g);
        v[i] = (float)(beta2 * (double)v[i] + (1 - beta2) * g * g);
        double m_hat = (double)m[i] / (1 - power_double(beta1, step));
        double v_hat = (double)v[i] / (1 - power_double(beta2, step));
        double p = (double)param[i] * (1 - rate * (double)settings->weight_decay);
        param[i] = (float)(p - rate * m_hat / (sqrt(v_hat) + (double)settings->eps));
    }
}
