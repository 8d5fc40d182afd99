/* The formulas in double; 1 - sigmoid(x) is sigmoid(-x). */
#include "04-ffn-swiglu/swiglu.h"

#include <math.h>

static double sigmoid_of(float x) {
    return 1 / (1 + exp(-(double)x));
}

void swiglu_forward(float *out, const float *gate, const float *up, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (float)((double)up[i] * (double)gate[i] * sigmoid_of(gate[i]));
}

void swiglu_backward(float *dgate, float *dup, const float *dout, const float *gate,
                     const float *up, size_t n) {
    for (size_t i = 0; dgate && i < n; i++) {
        double s = sigmoid_of(gate[i]),
               slope = s + (double)gate[i] * s * sigmoid_of(-gate[i]);
        dgate[i] += (float)((double)dout[i] * (double)up[i] * slope);
    }
    for (size_t i = 0; dup && i < n; i++)
        dup[i] += (float)((double)dout[i] * (double)gate[i] * sigmoid_of(gate[i]));
}
