/* AdamW. Before you read on: make hint-00 EX=adamw */
#include "00-tensors/adamw.h"

#include "math/fmath.h"

void adamw_update(float *param, float *m, float *v, const float *grad, size_t n,
                  const AdamWSettings *settings, size_t step) {
    float beta1 = settings->beta1, beta2 = settings->beta2, eps = settings->eps;
    float keep = 1.0f - settings->learning_rate * settings->weight_decay;
    /* Both moments start at zero and are too small by these factors. */
    float correct1 = (float)(1.0 / (1.0 - power_double((double)beta1, step)));
    float correct2 = (float)(1.0 / (1.0 - power_double((double)beta2, step)));
    float rate = settings->learning_rate * correct1;
    for (size_t i = 0; i < n; i++) {
        float g = grad[i];
        m[i] = beta1 * m[i] + (1.0f - beta1) * g;
        v[i] = beta2 * v[i] + (1.0f - beta2) * g * g;
        param[i] = keep * param[i] - rate * m[i] / (sqrtf(v[i] * correct2) + eps);
    }
}
