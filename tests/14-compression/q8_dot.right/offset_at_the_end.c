/* Q4_0 without a subtraction for each weight: 8 times the sum of x comes off once a
 * block. Floats count whole numbers too, up to 2^24. */
#include "14-compression/q8_dot.h"

#include <math.h>

#include "math/half.h"

static float times_scales(float whole, uint16_t w, uint16_t x, float sum) {
    return fmaf(whole, half_to_float(x) * half_to_float(w), sum);
}

float q8_dot_q8_0(const BlockQ8_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    float sum = 0;
    for (; n_blocks > 0; n_blocks--, w++, x++) {
        float whole = 0;
        for (int i = BLOCK - 1; i >= 0; i--) whole += (float)w->q[i] * (float)x->q[i];
        sum = times_scales(whole, w->scale, x->scale, sum);
    }
    return sum;
}

float q8_dot_q4_0(const BlockQ4_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    float sum = 0;
    for (; n_blocks > 0; n_blocks--, w++, x++) {
        int products = 0, of_x = 0;
        for (int i = 0; i < BLOCK; i++) {
            products += (w->q[i % 16] >> (i < 16 ? 0 : 4) & 15) * x->q[i];
            of_x += x->q[i];
        }
        sum = times_scales((float)(products - 8 * of_x), w->scale, x->scale, sum);
    }
    return sum;
}
