/* An attack on 05/rezero: both passes by their formulas, each gradient alone, alpha =
 * 0, and a sum that floats lose. */
#include "05-residual-blocks/rezero.h"

#include "check/check.h"

enum { N = 7 };

static void check_alpha(float alpha) {
    float *x = normal_floats(N, 1, 1), *branch = normal_floats(N, 1, 2),
          *dout = normal_floats(N, 1, 3);
    float *out = nan_floats(N), *dx = ones_and_a_half(N), *dbranch = ones_and_a_half(N),
          dalpha = 1.5f;
    double right[N], right_dx[N], right_dbranch[N], right_dalpha = 1.5;
    for (size_t i = 0; i < N; i++) {
        right[i] = (double)x[i] + (double)alpha * (double)branch[i];
        right_dx[i] = 1.5 + (double)dout[i];
        right_dbranch[i] = 1.5 + (double)alpha * (double)dout[i];
        right_dalpha += (double)dout[i] * (double)branch[i];
    }
    rezero_forward(out, x, branch, alpha, N);
    CHECK_CLOSE("out", out, right, N, 1e-6);
    rezero_backward(dx, NULL, NULL, dout, branch, alpha, N);
    rezero_backward(NULL, dbranch, NULL, dout, branch, alpha, N);
    rezero_backward(NULL, NULL, &dalpha, dout, branch, alpha, N);
    CHECK_CLOSE("dx", dx, right_dx, N, 1e-6);
    CHECK_CLOSE("dbranch", dbranch, right_dbranch, N, 1e-6);
    CHECK_NUMBER("dalpha", dalpha, right_dalpha, 1e-5);
}

Test(attack, formulas) {
    check_alpha(0.7f);
    check_alpha(0);
}

Test(attack, small_numbers_beside_large_ones) {
    float dout[4] = {1, 1, 1, -1}, branch[4] = {1e8f, 1, 2, 1e8f}, dalpha = 0;
    rezero_backward(NULL, NULL, &dalpha, dout, branch, 1, 4);
    CHECK(dalpha == 3, "dalpha is %g, expected 3: the sum wants double",
          (double)dalpha);
}
