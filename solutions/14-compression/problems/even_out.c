/* Open problem 14/even_out: signs, then the Hadamard transform. Before you read on:
 * make hint-14 P=even_out */
#include "14-compression/problems/even_out.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Half of the columns change their sign, in no order that a wave could have. */
static void flip(float *x) {
    uint32_t state = 1;
    for (size_t i = 0; i < EVEN_OUT_DIM; i++) {
        state = state * 1664525 + 1013904223;
        if (state >> 31) x[i] = -x[i];
    }
}

/* Orthonormal, and its own inverse. */
static void hadamard(float *x) {
    for (size_t step = 1; step < EVEN_OUT_DIM; step *= 2) {
        for (size_t i = 0; i < EVEN_OUT_DIM; i++) {
            if (i & step) continue;
            float a = x[i], b = x[i + step];
            x[i] = (a + b) * sqrtf(0.5f);
            x[i + step] = (a - b) * sqrtf(0.5f);
        }
    }
}

void turn_row(float x[EVEN_OUT_DIM]) {
    flip(x);
    hadamard(x);
}

void turn_row_back(float x[EVEN_OUT_DIM]) {
    hadamard(x);
    flip(x);
}
