/* Open problem 15/any_order. The rules are in
 * chapters/15-speed/problems/any_order.h. */
#include "15-speed/problems/any_order.h"

#include <math.h>

#include "program/problem.h"

/* A sum in double, which rounds: another order is another result. */
void any_order_add(AnyOrder *s, float x) {
    PROBLEM_TODO("15/any_order");
    s->real[0] += (double)x;
}

double any_order_sum(const AnyOrder *s) {
    return s->real[0];
}
