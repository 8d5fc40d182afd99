/* One number is a part of its own: update is a merge with it. */
#include "01-layernorm-vs-batchnorm/welford.h"

#include <math.h>

void welford_merge(WelfordStats *s, const WelfordStats *other) {
    size_t n = s->count + other->count;
    if (n == 0) return;
    double d = (double)(other->mean - s->mean), share = (double)s->count / (double)n;
    s->m2 += other->m2 + (float)(d * d * share * (double)other->count);
    s->mean = other->mean - (float)(d * share);
    s->count = n;
}

void welford_update(WelfordStats *s, float x) {
    WelfordStats one = {1, x, 0};
    welford_merge(s, &one);
}

float welford_variance(const WelfordStats *s, bool unbiased) {
    if (s->count == 0 || (unbiased && s->count == 1)) return NAN;
    double variance = (double)s->m2 / (double)s->count;
    return (float)(unbiased ? variance * (double)s->count / (double)(s->count - 1)
                            : variance);
}
