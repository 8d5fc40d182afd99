/* Advantages within a group. Before you read on: make hint-19 EX=group_advantage */
#include "19-fine-tuning/group_advantage.h"

#include <math.h>

void group_advantage(float *advantages, const float *rewards, size_t n_groups,
                     size_t size) {
    for (size_t g = 0; g < n_groups; g++) {
        const float *reward = rewards + g * size;
        double sum = 0, squares = 0;
        for (size_t i = 0; i < size; i++) sum += (double)reward[i];
        double mean = sum / (double)size;
        for (size_t i = 0; i < size; i++) {
            double above = (double)reward[i] - mean;
            squares += above * above;
        }
        double std = sqrt(squares / (double)size);
        for (size_t i = 0; i < size; i++) {
            double above = (double)reward[i] - mean;
            advantages[g * size + i] = std > 0 ? (float)(above / std) : 0;
        }
    }
}
