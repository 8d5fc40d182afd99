/* Learning from preferences. Before you read on: make hint-19 EX=dpo_loss */
#include "19-fine-tuning/dpo_loss.h"

#include "math/fmath.h"

/* -ln sigmoid(z) = ln(1 + e^-z); of a large number nothing is taken to the power. */
static double minus_log_sigmoid(double z) {
    double positive = log_double(1 + exp_double(-fabs(z)));
    return z < 0 ? positive - z : positive;
}

float dpo_loss(float *dchosen, float *drejected, const PairLogP *policy,
               const PairLogP *reference, size_t n, float beta) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        float chosen = policy->chosen[i] - reference->chosen[i],
              rejected = policy->rejected[i] - reference->rejected[i],
              z = beta * (chosen - rejected);
        sum += minus_log_sigmoid((double)z);
        dchosen[i] = -beta * sigmoid_float(-z) / (float)n;
        drejected[i] = -dchosen[i];
    }
    return (float)(sum / (double)n);
}
