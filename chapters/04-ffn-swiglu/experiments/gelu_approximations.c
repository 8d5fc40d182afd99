/* Ways to come close to GELU: see gelu_approximations.h. */
#include "04-ffn-swiglu/experiments/gelu_approximations.h"

#include <math.h>
#include <stdlib.h>

#include "04-ffn-swiglu/gelu.h"
#include "math/fmath.h"
#include "base/memory.h"

//> approximations
/* x sigmoid(1.702 x), which the paper offers as the quick form. */
static void gelu_sigmoid_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] * sigmoid_float(1.702f * x[i]);
}

/* A mistake: the 1.702 of the line above in the other form's tanh. */
static void gelu_mixed_up_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = 0.5f * x[i] * (1.0f + tanh_float(1.702f * x[i]));
}
//< approximations

double gelu_exact(double x) {
    return 0.5 * x * erfc(-x * sqrt(0.5));
}

void gelu_table(float *out, const float *x, size_t n, size_t intervals) {
    const float end = 8.0f, per_unit = (float)intervals / 16.0f;
    float *value = checked_alloc(intervals + 1, sizeof *value);
    for (size_t i = 0; i <= intervals; i++)
        value[i] = (float)gelu_exact((double)i / (double)per_unit - 8.0);
    for (size_t i = 0; i < n; i++) {
        float place = (fminf(fmaxf(x[i], -end), end) + end) * per_unit;
        size_t cell = place >= (float)intervals ? intervals - 1 : (size_t)place;
        float part = place - (float)cell;
        out[i] = value[cell] + part * (value[cell + 1] - value[cell]) +
                 fmaxf(x[i] - end, 0.0f);
    }
    free(value);
}

static void gelu_table_forward(float *out, const float *x, size_t n) {
    gelu_table(out, x, n, 256);
}

const Approximation approximations[APPROXIMATIONS] = {
    [TANH] = {"0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))", "tanh",
              gelu_tanh_forward},
    [SIGMOID] = {"x sigmoid(1.702 x)", "sigmoid", gelu_sigmoid_forward},
    [MIXED_UP] = {"0.5 x (1 + tanh(1.702 x)), mixed up", "mixed_up",
                  gelu_mixed_up_forward},
    [TABLE] = {"table of 257 values, straight lines between", "table",
               gelu_table_forward},
};

Worst worst_error(void (*forward)(float *out, const float *x, size_t n)) {
    enum { HALF = 6 * 1024, POINTS = 2 * HALF + 1 };
    float *x = checked_alloc(POINTS, sizeof *x),
          *close = checked_alloc(POINTS, sizeof *close);
    for (size_t i = 0; i < POINTS; i++) x[i] = (float)i / 1024.0f - 6.0f;
    forward(close, x, POINTS);
    Worst worst = {0};
    for (size_t i = 0; i < POINTS; i++) {
        double exact = gelu_exact((double)x[i]), error = fabs((double)close[i] - exact);
        float rounded = fabsf((float)exact);
        double ulps = error / (double)(nextafterf(rounded, INFINITY) - rounded);
        if (error > worst.error) {
            worst.error = error;
            worst.x = (double)x[i];
        }
        if (ulps > worst.ulps) {
            worst.ulps = ulps;
            worst.ulps_x = (double)x[i];
        }
    }
    free(x);
    free(close);
    return worst;
}
