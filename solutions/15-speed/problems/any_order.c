/* Whole numbers never round: one for every eighth power of two. */
#include "15-speed/problems/any_order.h"

#include <math.h>

/* the smallest float is 2^-149, as 24 bits from 2^-172 on */
enum { APART = 8, BITS = 24, LOWEST = -176 };

void any_order_add(AnyOrder *s, float x) {
    int exponent;
    int64_t bits = (int64_t)ldexpf(frexpf(x, &exponent), BITS);
    int power = exponent - BITS - LOWEST;
    s->whole[power / APART] += bits * (1 << power % APART);
}

double any_order_sum(const AnyOrder *s) {
    double sum = 0;
    for (int i = 64; i-- > 0;) sum += ldexp((double)s->whole[i], i * APART + LOWEST);
    return sum;
}
