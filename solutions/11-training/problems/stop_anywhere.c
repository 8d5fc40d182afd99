/* A mean of the weights in place of a falling rate (Polyak & Juditsky 1992; Shamir &
 * Zhang 2013). Before you read on: make hint-11 P=stop_anywhere */
#include "11-training/problems/stop_anywhere.h"

/* At one rate the weights wander about where they should be, and their mean does not.
 * Weights of step k count as k^9 or nearly: the mean is over about the last tenth of
 * the run, whenever it stops. */
void keep_weights(float *kept, const float *weights, size_t n, size_t step) {
    const float power = 9;
    float share = step > 1 ? (power + 1) / ((float)step + power) : 1;
    for (size_t i = 0; i < n; i++) kept[i] += share * (weights[i] - kept[i]);
}
