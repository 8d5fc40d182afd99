/* Steps as large as the weights that they change. Before you read on: make hint-00
 * P=any_scale */
#include "00-tensors/problems/any_scale.h"

#include <math.h>

#include "00-tensors/adamw.h"

/* For points that are twenty times smaller fc1 must become twenty times larger. In
 * steps of a fixed size that takes too long, in steps of a tenth of the weights' own
 * size it takes few. For large points fc1's gradient is large, which Adam divides
 * out. */
void any_scale(float *param, const float *grad, size_t n, float *state, size_t step) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)param[i] * (double)param[i];
    float size = fmaxf(1, (float)sqrt(sum / (double)n));
    AdamWSettings settings = {
        .learning_rate = 0.1f * size, .beta1 = 0.9f, .beta2 = 0.999f, .eps = 1e-30f};
    adamw_update(param, state, state + n, grad, n, &settings, step);
}
