/* An attack on 04/swiglu: both passes by their formulas in double, one gradient alone,
 * and nothing written behind the end. */
#include "04-ffn-swiglu/swiglu.h"

#include <math.h>

#include "check/check.h"

enum { N = 37 };

Test(attack, formulas) {
    float *gate = normal_floats(N + 1, 2, 1), *up = normal_floats(N + 1, 1, 2),
          *dout = normal_floats(N, 1, 3);
    float *out = ones_and_a_half(N + 1), *dgate = ones_and_a_half(N),
          *dup = ones_and_a_half(N);
    double right[N + 1], right_dgate[N], right_dup[N];
    gate[5] = up[6] = dout[7] = 0;
    for (size_t i = 0; i < N; i++) {
        double g = (double)gate[i], s = 1 / (1 + exp(-g)), d = (double)dout[i];
        right[i] = g * s * (double)up[i];
        right_dgate[i] = 1.5 + d * (double)up[i] * (s + g * s * (1 - s));
        right_dup[i] = 1.5 + d * g * s;
    }
    right[N] = 1.5;
    swiglu_forward(out, gate, up, N);
    CHECK_CLOSE("out, and what stands behind it,", out, right, N + 1, 1e-5);
    swiglu_backward(dgate, NULL, dout, gate, up, N);
    CHECK_CLOSE("dgate", dgate, right_dgate, N, 1e-5);
    swiglu_backward(NULL, dup, dout, gate, up, N);
    CHECK_CLOSE("dup", dup, right_dup, N, 1e-5);
}
