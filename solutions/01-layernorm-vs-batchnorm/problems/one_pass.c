/* Welford with two sums that keep the rounding errors. Before you read on: make hint-01
 * P=one_pass */
#include "01-layernorm-vs-batchnorm/problems/one_pass.h"

/* kept: the mean in two floats, high + low; the sum of squares, and the rounding errors
 * of its additions. */
enum { HIGH, LOW, M2, LOST };

/* x - mean. x - high is exact where the two are near, so nothing of a large offset is
 * left in it. */
static float distance(const OnePass *s, float x) {
    return (x - s->kept[HIGH]) - s->kept[LOW];
}

void one_pass_add(OnePass *s, float x) {
    s->count++;
    float *high = &s->kept[HIGH], *low = &s->kept[LOW], *m2 = &s->kept[M2],
          *lost = &s->kept[LOST];
    float before = distance(s, x);
    *low += before / (float)s->count;
    float mean = *high + *low;
    *low -= mean - *high;
    *high = mean;
    float more = before * distance(s, x) - *lost, sum = *m2 + more;
    *lost = (sum - *m2) - more;
    *m2 = sum;
}

float one_pass_variance(const OnePass *s) {
    return s->kept[M2] / (float)s->count;
}
