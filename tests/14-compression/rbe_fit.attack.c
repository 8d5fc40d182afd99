/* An attack on 14/rbe_fit: what is left of any block is orthogonal to all functions,
 * which no other alpha does; a function is itself, to the digits of a double's sums;
 * and the rest and the functions are added, also in place. */
#include "14-compression/rbe_fit.h"

#include <math.h>
#include <string.h>

#include "check/check.h"

static double phi[RBE_FUNCTIONS][TILE_SIZE];

static void check_fit(const float *x) {
    float *alpha = nan_floats(RBE_FUNCTIONS);
    rbe_fit(alpha, x, phi);
    for (int k = 0; k < RBE_FUNCTIONS; k++) {
        double left = 0, size = 0;
        for (int i = 0; i < TILE_SIZE; i++) {
            double rest = (double)x[i];
            for (int l = 0; l < RBE_FUNCTIONS; l++)
                rest -= (double)alpha[l] * phi[l][i];
            left += rest * phi[k][i];
            size += fabs((double)x[i] * phi[k][i]);
        }
        CHECK(fabs(left) <= 1e-5 * size, "function %d still has %g of what is left", k,
              left);
    }
}

Test(attack, fits) {
    rbe_basis(phi);
    float *x = normal_floats(TILE_SIZE, 1, 1);
    check_fit(x);
    for (int i = 0; i < TILE_SIZE; i++) x[i] += 3 + (float)i / 100;
    check_fit(x);
    for (int k = 0; k < RBE_FUNCTIONS; k++) {
        for (int i = 0; i < TILE_SIZE; i++) x[i] = (float)phi[k][i];
        check_fit(x);
        float alpha[RBE_FUNCTIONS];
        rbe_fit(alpha, x, phi);
        for (int l = 0; l < RBE_FUNCTIONS; l++)
            CHECK(fabs((double)alpha[l] - (l == k)) < 1e-4,
                  "function %d takes %g of function %d", l, (double)alpha[l], k);
    }
}

Test(attack, sums) {
    rbe_basis(phi);
    float *rest = normal_floats(TILE_SIZE, 1, 1),
          *alpha = normal_floats(RBE_FUNCTIONS, 1, 2);
    float *out = nan_floats(TILE_SIZE);
    double *right = as_double(rest, TILE_SIZE);
    for (int k = 0; k < RBE_FUNCTIONS; k++)
        for (int i = 0; i < TILE_SIZE; i++) right[i] += (double)alpha[k] * phi[k][i];
    rbe_add(out, rest, alpha, phi);
    CHECK_CLOSE("sums", out, right, TILE_SIZE, 1e-6);
    rbe_add(rest, rest, alpha, phi);
    CHECK_CLOSE("sums in place", rest, right, TILE_SIZE, 1e-6);
}
