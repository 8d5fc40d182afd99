/* What this machine can do at most, measured: the two lines of a roofline. */
#ifndef CHAPTER_15_MACHINE_H
#define CHAPTER_15_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Floating-point operations a second of multiply-adds on vectors that stay in
 * registers; the best of several tries. */
double machine_peak(size_t threads);

/* Bytes a second of reading an array of so many bytes again and again, shared out among
 * the threads; the best of several tries. With `change` each number is also written
 * back: a byte that is changed counts twice. */
double machine_bandwidth(size_t bytes, size_t threads, bool change);

#endif
