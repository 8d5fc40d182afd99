/* Tests of common/softmax: the numbers, the order of the sums to the last bit, and the
 * edges. */
#include "kernels/softmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/error.h"
#include "math/fmath.h"
#include "kernels/reduce.h"
#include "base/memory.h"

static double *plain_softmax(const float *x, size_t n, double scale) {
    double *out = checked_alloc(n, sizeof *out), max = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) max = fmax(max, (double)x[i]);
    for (size_t i = 0; i < n; i++) sum += out[i] = exp(scale * ((double)x[i] - max));
    for (size_t i = 0; i < n; i++) out[i] /= sum;
    return out;
}

static double plain_logsumexp(const float *x, size_t n) {
    double max = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) max = fmax(max, (double)x[i]);
    for (size_t i = 0; i < n; i++) sum += exp((double)x[i] - max);
    return max + log(sum);
}

/* Around the length of a part, and many of them. */
static const size_t lengths[] = {1, 2, 15, 16, 17, 255, 256, 257, 512, 1000, 50257};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

Test(softmax, rows_of_any_length, .timeout = 10) {
    for (size_t l = 0; l < LENGTHS; l++) {
        size_t n = lengths[l];
        float *x = normal_floats(n, 3, 1), *out = nan_floats(n);
        row_softmax(out, x, n, 0.5f);
        CHECK_CLOSE(with_size("softmax", 1, n), out, plain_softmax(x, n, 0.5), n, 1e-6,
                    {"scale is left out", plain_softmax(x, n, 1)});
        CHECK_NUMBER(with_size("logsumexp", 1, n), row_logsumexp(x, n),
                     plain_logsumexp(x, n), 1e-6);
        row_softmax(x, x, n, 0.5f);
        CHECK(memcmp(x, out, n * sizeof *x) == 0,
              "n = %zu: another result with out = x", n);
    }
}

/* row_sum adds 256 exponentials at a time, and these sums are added in double. */
Test(softmax, sums_in_parts, .timeout = 10) {
    for (size_t l = 0; l < LENGTHS; l++) {
        size_t n = lengths[l];
        float *x = normal_floats(n, 3, 2), *e = nan_floats(n), *out = nan_floats(n),
              max = row_max(x, n);
        double sum = 0;
        for (size_t i = 0; i < n; i++) e[i] = exp_float(x[i] - max);
        for (size_t i = 0; i < n; i += 256)
            sum += (double)row_sum(e + i, n - i < 256 ? n - i : 256);
        row_softmax(out, x, n, 1.0f);
        for (size_t i = 0; i < n; i++) {
            float expected = e[i] * (float)(1.0 / sum);
            CHECK(out[i] == expected, "n = %zu: out[%zu] is %a, expected %a", n, i,
                  (double)out[i], (double)expected);
        }
        float logsumexp = row_logsumexp(x, n), expected = max + (float)log_double(sum);
        CHECK(logsumexp == expected, "n = %zu: logsumexp is %a, expected %a", n,
              (double)logsumexp, (double)expected);
    }
}

/* exp overflows at 89 and is 0 from -88 on. */
Test(softmax, far_from_zero, .timeout = 10) {
    static const float offsets[] = {1000.0f, -1000.0f, 1e6f, -1e6f};
    for (size_t o = 0; o < 4; o++) {
        float x[3] = {offsets[o], offsets[o] - 1, offsets[o] + 1}, out[3];
        row_softmax(out, x, 3, 1.0f);
        CHECK_CLOSE("softmax", out, plain_softmax(x, 3, 1), 3, 1e-6);
        CHECK_NUMBER("logsumexp", row_logsumexp(x, 3), plain_logsumexp(x, 3), 1e-6);
    }
}

Test(softmax, infinities_and_nan, .timeout = 10) {
    float x[4] = {-INFINITY, 1, 2, -INFINITY}, out[4];
    row_softmax(out, x, 4, 1.0f);
    CHECK_CLOSE("softmax with -infinity", out, plain_softmax(x, 4, 1), 4, 1e-6);
    CHECK(out[0] == 0.0f && out[3] == 0.0f, "-infinity does not give 0");
    x[3] = NAN;
    row_softmax(out, x, 4, 1.0f);
    for (size_t i = 0; i < 4; i++)
        CHECK(isnan(out[i]), "a NaN in the row, and out[%zu] is none", i);
    CHECK(isnan(row_logsumexp(x, 4)), "a NaN in the row, and logsumexp is none");
}

Test(softmax, empty_row, .timeout = 10) {
    row_softmax(NULL, NULL, 0, 1.0f);
    CHECK(row_logsumexp(NULL, 0) == -INFINITY,
          "logsumexp of nothing is %f, expected ln 0", (double)row_logsumexp(NULL, 0));
}
