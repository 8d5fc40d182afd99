/* AdamW's moments in a byte each. Before you read on: make hint-00 P=small_state */
#include "00-tensors/problems/small_state.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "00-tensors/adamw.h"
#include "math/fmath.h"
#include "math/random.h"

/* A byte keeps a float's exponent and two bits of its fraction: moments differ by more
 * orders of magnitude than equal steps reach. `smallest` is the exponent of code 1 and
 * below, 0 is 0. */
static float unpack(uint32_t code, int smallest) {
    return code ? bits_float((code + ((uint32_t)(127 + smallest) << 2)) << 21) : 0;
}

/* Up or down at random, such that the mean is x: v changes by a thousandth in a step,
 * and would never move if it always went to the nearest. */
static uint32_t encode(float x, int smallest, uint32_t most, Random *random) {
    uint32_t code = (float_bits(fabsf(x)) + (random_u32(random) >> 11)) >> 21,
             zero = (uint32_t)(127 + smallest) << 2;
    return code <= zero ? 0 : code - zero > most ? most : code - zero;
}

void small_state(float *param, const float *grad, size_t n, void *state, size_t step) {
    enum { SMALLEST_M = -24, SMALLEST_V = -50 };
    const float rate = 0.05f, beta1 = 0.9f, beta2 = 0.999f;
    int8_t *m_codes = state;
    uint8_t *v_codes = (uint8_t *)state + n;
    Random random = random_stream(step, n);
    float correct1 = (float)(1 - power_double((double)beta1, step));
    float correct2 = (float)(1 - power_double((double)beta2, step));
    for (size_t i = 0; i < n; i++) {
        float m = copysignf(unpack((uint32_t)abs(m_codes[i]), SMALLEST_M), m_codes[i]);
        float v = unpack(v_codes[i], SMALLEST_V);
        m = beta1 * m + (1 - beta1) * grad[i];
        v = beta2 * v + (1 - beta2) * grad[i] * grad[i];
        param[i] -= rate * (m / correct1) / (sqrtf(v / correct2) + 1e-8f);
        int8_t size = (int8_t)encode(m, SMALLEST_M, 127, &random);
        m_codes[i] = m < 0 ? (int8_t)-size : size;
        v_codes[i] = (uint8_t)encode(v, SMALLEST_V, 255, &random);
    }
}
