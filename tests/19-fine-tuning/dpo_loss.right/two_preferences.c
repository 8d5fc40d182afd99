/* By the C library, and by the preference of each model by itself. */
#include "19-fine-tuning/dpo_loss.h"

#include <math.h>

static double preference(const PairLogP *model, size_t i) {
    return (double)model->chosen[i] - (double)model->rejected[i];
}

float dpo_loss(float *dchosen, float *drejected, const PairLogP *policy,
               const PairLogP *reference, size_t n, float beta) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double z = (double)beta * (preference(policy, i) - preference(reference, i)),
               small = exp(-fabs(z)), slope = (z > 0 ? small : 1) / (1 + small);
        sum += fmax(-z, 0) + log1p(small);
        dchosen[i] = (float)(-(double)beta * slope / (double)n);
        drejected[i] = (float)((double)beta * slope / (double)n);
    }
    return (float)(sum / (double)n);
}
