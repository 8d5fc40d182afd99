/* The loss as cross-entropy of two classes, all in float: sigmoid(z) is the softmax of
 * z and 0. */
#include "19-fine-tuning/dpo_loss.h"

#include "math/fmath.h"

float dpo_loss(float *dchosen, float *drejected, const PairLogP *policy,
               const PairLogP *reference, size_t n, float beta) {
    float loss = 0, share = 1 / (float)n;
    for (size_t i = n; i-- > 0;) {
        float chosen = beta * (policy->chosen[i] - reference->chosen[i]),
              rejected = beta * (policy->rejected[i] - reference->rejected[i]),
              top = chosen > rejected ? chosen : rejected, e = exp_float(chosen - top),
              f = exp_float(rejected - top);
        loss += (top - chosen + log_float(e + f)) * share;
        drejected[i] = beta * share * f / (e + f);
        dchosen[i] = -drejected[i];
    }
    return loss;
}
