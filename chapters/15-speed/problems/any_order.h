/* Open problem 15/any_order (**): a sum that is the same bytes in every order of its
 * numbers */
#ifndef CHAPTER_15_ANY_ORDER_H
#define CHAPTER_15_ANY_ORDER_H

#include <stdint.h>

/* The state after the numbers so far: 512 bytes, used as you like, and none elsewhere.
 * Zeros before the first number. */
typedef union {
    int64_t whole[64];
    double real[64];
} AnyOrder;

/* One more number, finite. It is not seen again. */
void any_order_add(AnyOrder *s, float x);

/* The sum of all numbers so far. */
double any_order_sum(const AnyOrder *s);

#endif
