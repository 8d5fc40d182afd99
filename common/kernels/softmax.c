/* The softmax of a row: see softmax.h. */
#include "kernels/softmax.h"

#include "base/size.h"
#include "math/fmath.h"
#include "kernels/reduce.h"

/* A row is taken in parts of so many: a loop that only takes exponentials becomes
 * vector code, and its results are still in the cache when row_sum adds it. The sums of
 * the parts are added in double. */
enum { PART = 256 };

/* Writes exp(scale (x - max)) of a part and returns its sum. simd: out is x or lies
 * apart from it, which a compiler cannot know. */
static double exponentials(float *out, const float *x, float max, float scale,
                           size_t n) {
#pragma omp simd
    for (size_t i = 0; i < n; i++) out[i] = exp_float(scale * (x[i] - max));
    return (double)row_sum(out, n);
}

void row_softmax(float *out, const float *x, size_t n, float scale) {
    float max = row_max(x, n);
    double sum = 0;
    for (size_t i = 0; i < n; i += PART)
        sum += exponentials(out + i, x + i, max, scale, size_min(PART, n - i));
    row_scale(out, (float)(1.0 / sum), n);
}

float row_logsumexp(const float *x, size_t n) {
    float max = row_max(x, n), part[PART];
    double sum = 0;
    for (size_t i = 0; i < n; i += PART)
        sum += exponentials(part, x + i, max, 1.0f, size_min(PART, n - i));
    return max + (float)log_double(sum);
}
