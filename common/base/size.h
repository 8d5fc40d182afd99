/* Sizes: the smaller of two, and quotients that are rounded up. */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stddef.h>

static inline size_t size_min(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t size_ceil_div(size_t a, size_t b) {
    return (a + b - 1) / b;
}

#endif
