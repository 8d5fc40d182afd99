/* An attack on 18/rope: the formula in double, for heads that share keys, at positions
 * in no order, forward and, into what is there, backward. */
#include "18-llama/rope.h"

#include <math.h>

#include "check/check.h"

enum { ROWS = 4, HEADS = 4, KV = 2, DIM = 6, WIDTH = (HEADS + 2 * KV) * DIM };

static void turn(double *out, const float *x, const RopeShape *s, double direction) {
    for (size_t n = 0; n < ROWS * WIDTH; n++) {
        size_t r = n / WIDTH, i = n % DIM, half = DIM / 2;
        float angle = (float)s->positions[r] * s->frequencies[i % half];
        double c = cos((double)angle), si = direction * sin((double)angle);
        double partner = i < half ? -(double)x[n + half] : (double)x[n - half];
        bool is_v = n % WIDTH >= (HEADS + KV) * DIM;
        out[n] = is_v ? (double)x[n] : (double)x[n] * c + partner * si;
    }
}

Test(attack, rows) {
    float frequencies[DIM / 2], base = 20, *x = normal_floats(ROWS * WIDTH, 1, 1),
                                *out = nan_floats(ROWS * WIDTH),
                                *dx = ones_and_a_half(ROWS * WIDTH);
    rope_frequencies(frequencies, HEADS * DIM, HEADS, base);
    for (int i = 0; i < DIM / 2; i++)
        CHECK_NUMBER("frequency", frequencies[i], pow((double)base, -2.0 * i / DIM),
                     1e-5);
    RopeShape s = {ROWS, HEADS, KV, DIM, (int[]){9, 0, 2, 30}, frequencies};
    double right[ROWS * WIDTH];
    turn(right, x, &s, 1);
    rope_forward(out, x, &s);
    CHECK_CLOSE("out", out, right, ROWS * WIDTH, 1e-5);
    turn(right, x, &s, -1);
    rope_backward(dx, x, &s);
    CHECK_ADDED("dqkv", dx, right, ROWS * WIDTH, 1e-5);
}
