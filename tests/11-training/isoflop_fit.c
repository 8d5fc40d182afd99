/* Tests of the isoFLOP fit, on losses from surfaces that are known. */
#include "11-training/experiments/isoflop_fit.h"

#include <math.h>

#include "check/check.h"

/* L(N, D) = E + A / N^alpha + B / D^beta with D = C / 6N: its best N grows as C^(beta /
 * (alpha + beta)). The sizes are `around` times the best size of the middle budget. */
static IsoFlop known_surface(double a, double alpha, double b, double beta,
                             double smallest) {
    IsoFlop f;
    double grow = beta / (alpha + beta),
           g = pow(alpha * a / (beta * b), 1 / (alpha + beta));
    for (size_t j = 0; j < ISOFLOP_BUDGETS; j++)
        f.budget[j] = smallest * pow(2, (double)j);
    double middle = g * pow(f.budget[ISOFLOP_BUDGETS / 2] / 6, grow);
    for (size_t i = 0; i < ISOFLOP_SIZES; i++)
        f.parameters[i] = middle * pow(1.7, (double)i - 2);
    for (size_t j = 0; j < ISOFLOP_BUDGETS; j++) {
        for (size_t i = 0; i < ISOFLOP_SIZES; i++) {
            double n = f.parameters[i], d = f.budget[j] / (6 * n);
            f.loss[j][i] = 1.69 + a / pow(n, alpha) + b / pow(d, beta);
        }
    }
    return f;
}

/* Hoffmann et al.'s own surface (406.4, 0.34, 410.7, 0.28), and one with equal
 * exponents, whose curves are symmetrical. A parabola is not the curve: the best size
 * may be off by a few percent, the slope by 0.02. */
Test(isoflop_fit, known_surfaces, .timeout = 10) {
    IsoFlop f = known_surface(406.4, 0.34, 410.7, 0.28, 1e18);
    CHECK_NUMBER("the exponent of Hoffmann et al.'s surface", isoflop_exponent(&f),
                 0.28 / 0.62, 0.04);
    f = known_surface(20, 0.4, 80, 0.4, 4e9);
    CHECK_NUMBER("the exponent of a symmetrical surface", isoflop_exponent(&f), 0.5,
                 0.04);
    CHECK_NUMBER("the best size of its middle budget", isoflop_best_size(&f, 2),
                 f.parameters[2], 1e-6);
}

Test(isoflop_fit, no_valley, .timeout = 10) {
    IsoFlop f = known_surface(20, 0.4, 80, 0.4, 4e9);
    for (size_t i = 0; i < ISOFLOP_SIZES; i++) f.loss[1][i] = -f.loss[1][i];
    CHECK(isnan(isoflop_best_size(&f, 1)),
          "a curve that opens downwards has no best size");
    CHECK(isnan(isoflop_exponent(&f)), "then there is no exponent");
}
