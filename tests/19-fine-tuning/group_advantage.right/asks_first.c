/* Looks first whether all rewards of a group are equal. */
#include "19-fine-tuning/group_advantage.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool all_equal(const float *x, size_t n) {
    for (size_t i = 1; i < n; i++) {
        if (x[i] != x[0]) return false;
    }
    return true;
}

/* Welford's update of mean and sum of squares. */
static void one_group(float *out, const float *x, size_t n) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double before = (double)x[i] - mean;
        mean += before / (double)(i + 1);
        squares += before * ((double)x[i] - mean);
    }
    double rstd = 1 / sqrt(squares / (double)n);
    for (size_t i = 0; i < n; i++) out[i] = (float)(((double)x[i] - mean) * rstd);
}

void group_advantage(float *advantages, const float *rewards, size_t n_groups,
                     size_t size) {
    for (size_t g = 0; g < n_groups; g++) {
        const float *x = rewards + g * size;
        float *out = advantages + g * size;
        if (all_equal(x, size)) {
            memset(out, 0, size * sizeof *out);
        } else {
            one_group(out, x, size);
        }
    }
}
