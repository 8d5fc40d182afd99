/* Measured from the first reward, so that equal rewards are zeros from the start; one
 * pass. */
#include "19-fine-tuning/group_advantage.h"

#include <math.h>

void group_advantage(float *advantages, const float *rewards, size_t n_groups,
                     size_t size) {
    for (size_t g = 0; g < n_groups; g++, rewards += size, advantages += size) {
        double sum = 0, squares = 0, n = (double)size;
        for (size_t i = 0; i < size; i++) {
            double x = (double)rewards[i] - (double)rewards[0];
            sum += x;
            squares += x * x;
        }
        double variance = squares / n - sum / n * (sum / n);
        for (size_t i = 0; i < size; i++) {
            double x = (double)rewards[i] - (double)rewards[0] - sum / n;
            advantages[i] = squares > 0 ? (float)(x / sqrt(variance)) : 0;
        }
    }
}
