/* m2 from the old mean alone: d^2 (n - 1) / n. */
#include "01-layernorm-vs-batchnorm/welford.h"

#include <math.h>

void welford_update(WelfordStats *s, float x) {
    float d = x - s->mean, before = (float)s->count, n = (float)++s->count;
    s->m2 += d * d * before / n;
    s->mean += d / n;
}

void welford_merge(WelfordStats *s, const WelfordStats *other) {
    if (other->count == 0) return;
    if (s->count == 0) {
        *s = *other;
        return;
    }
    double a = (double)s->count, b = (double)other->count,
           d = (double)other->mean - (double)s->mean;
    s->count += other->count;
    s->mean = (float)((double)s->mean + d * b / (a + b));
    s->m2 = (float)((double)s->m2 + (double)other->m2 + d * d * a * b / (a + b));
}

float welford_variance(const WelfordStats *s, bool unbiased) {
    float divisor = (float)s->count - (unbiased ? 1.0f : 0.0f);
    return divisor > 0 ? s->m2 / divisor : NAN;
}
