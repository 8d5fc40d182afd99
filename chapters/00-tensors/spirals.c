/* Two spirals: see spirals.h. */
#include "00-tensors/spirals.h"

#include "math/fmath.h"

void spirals_fill(float *x, int *classes, size_t n, Random *random) {
    const double turns = 1.5, noise = 0.03, inner = 0.1;
    for (size_t i = 0; i < n; i++) {
        classes[i] = (int)(i % 2);
        double along = random_double(random), radius = inner + (1 - inner) * along;
        double turn = turns * along + 0.5 * classes[i];
        x[2 * i] = (float)(radius * cos_turn(turn) + noise * random_normal(random));
        x[2 * i + 1] = (float)(radius * sin_turn(turn) + noise * random_normal(random));
    }
}
