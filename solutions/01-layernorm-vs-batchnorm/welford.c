/* Welford's running statistics. Before you read on: make hint-01 EX=welford */
#include "01-layernorm-vs-batchnorm/welford.h"

#include <math.h>

void welford_update(WelfordStats *s, float x) {
    s->count++;
    float difference = x - s->mean;
    s->mean += difference / (float)s->count;
    s->m2 += difference * (x - s->mean);
}

void welford_merge(WelfordStats *s, const WelfordStats *other) {
    size_t count = s->count + other->count;
    if (count == 0) return;
    float difference = other->mean - s->mean;
    float share = (float)other->count / (float)count;
    s->m2 += other->m2 + difference * difference * (float)s->count * share;
    s->mean += difference * share;
    s->count = count;
}

float welford_variance(const WelfordStats *s, bool unbiased) {
    if (s->count < (unbiased ? 2 : 1)) return NAN;
    return s->m2 / (float)(unbiased ? s->count - 1 : s->count);
}
