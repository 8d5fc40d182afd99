/* Ways to come close to GELU: see gelu_approximations.h. */
#include "04-ffn-swiglu/experiments/gelu_approximations.h"

#include <math.h>

#include "04-ffn-swiglu/gelu.h"
#include "fmath.h"

//> approximations
/* x sigmoid(1.702 x), which the paper offers as the quick form. */
static void gelu_sigmoid_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] * sigmoid_float(1.702f * x[i]);
}

/* What comes out when the 1.702 of the line above is put into the other form's tanh. */
static void gelu_mixed_up_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = 0.5f * x[i] * (1.0f + tanh_float(1.702f * x[i]));
}
//< approximations

/* A table of exact values from -8 to 8, joined by straight lines. */
static void gelu_table_forward(float *out, const float *x, size_t n) {
    enum { INTERVALS = 256, PER_UNIT = 16 };
    float at[INTERVALS + 1], value[INTERVALS + 1];
    for (size_t i = 0; i <= INTERVALS; i++) at[i] = (float)i / PER_UNIT - 8.0f;
    gelu_erf_forward(value, at, INTERVALS + 1);
    for (size_t i = 0; i < n; i++) {
        float inside = fminf(fmaxf(x[i], -8.0f), 8.0f);
        float place = (inside + 8.0f) * PER_UNIT;
        size_t cell = place >= INTERVALS ? INTERVALS - 1 : (size_t)place;
        float part = place - (float)cell;
        out[i] = value[cell] + part * (value[cell + 1] - value[cell]) + fmaxf(x[i] - 8.0f, 0.0f);
    }
}

const Approximation approximations[APPROXIMATIONS] = {
    [TANH] = {"0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))", "tanh", gelu_tanh_forward},
    [SIGMOID] = {"x sigmoid(1.702 x)", "sigmoid", gelu_sigmoid_forward},
    [MIXED_UP] = {"0.5 x (1 + tanh(1.702 x)), mixed up", "mixed_up", gelu_mixed_up_forward},
    [TABLE] = {"table of 257 values, straight lines between", "table", gelu_table_forward},
};

Worst worst_error(const Approximation *approximation) {
    enum { HALF = 6 * 1024, POINTS = 2 * HALF + 1 };
    static float x[POINTS], exact[POINTS], close[POINTS];
    for (size_t i = 0; i < POINTS; i++) x[i] = (float)i / 1024.0f - 6.0f;
    gelu_erf_forward(exact, x, POINTS);
    approximation->forward(close, x, POINTS);
    Worst worst = {0};
    for (size_t i = 0; i < POINTS; i++) {
        double error = fabs((double)close[i] - (double)exact[i]);
        if (error > worst.error) worst = (Worst){error, fabs((double)x[i])};
    }
    return worst;
}
