/* An attack on 05/measure_scales: each branch's factor, for branches along the stream,
 * against it, across it, and of zeros. */
#include "05-residual-blocks/measure_scales.h"

#include <math.h>

#include "check/check.h"

enum { N = 6, COUNT = 5 };

/* Across the stream, along it in part, against it, nothing, and large. */
static void branch(float *out, const float *x, size_t n, size_t l, const void *self) {
    static const float along[COUNT] = {0, 1, -0.7f, 0, 30},
                       across[COUNT] = {0.2f, 0.5f, 2, 0, 40};
    (void)self;
    for (size_t i = 0; i < n; i++)
        out[i] = along[l] * x[i] + across[l] * (i % 2 ? x[i - 1] : -x[i + 1]);
}

static double mean_square(const float *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
    return sum / (double)n;
}

Test(attack, factors) {
    float *x = normal_floats(N, 1, 1), *stream = normal_floats(N, 1, 1),
          scales[COUNT] = {0};
    measure_scales(scales, x, N, 3, &(Branches){COUNT, branch, NULL});
    for (size_t l = 0; l < COUNT; l++) {
        float out[N];
        double before = mean_square(stream, N);
        branch(out, stream, N, l, NULL);
        CHECK(l == 3 ? scales[l] == 1 : scales[l] > 0, "scale %zu is %g", l,
              (double)scales[l]);
        for (size_t i = 0; i < N; i++) stream[i] += scales[l] * out[i];
        CHECK_NUMBER("the factor", mean_square(stream, N) / before,
                     l == 3 ? 1 : pow(3, 0.2), 1e-5);
    }
    CHECK_CLOSE("x", x, as_double(stream, N), N, 1e-5);
}

/* Sums that floats would lose. */
static void second_half(float *out, const float *x, size_t n, size_t l,
                        const void *self) {
    (void)self;
    (void)l;
    for (size_t i = 0; i < n; i++) out[i] = i < n / 2 ? 0 : x[i];
}

Test(attack, many_numbers) {
    enum { MANY = 4000000 };
    float *x = equal_floats(MANY, 1.1f), scale = 0;
    measure_scales(&scale, x, MANY, 2.5, &(Branches){1, second_half, NULL});
    CHECK_NUMBER("the scale", scale, 1, 1e-5);
}
