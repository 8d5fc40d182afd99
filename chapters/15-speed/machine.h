/* Peak rates of this machine, measured: the two lines of a roofline, and the parts of
 * the upper one. */
#ifndef CHAPTER_15_MACHINE_H
#define CHAPTER_15_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Floating-point operations a second of multiply-adds on vectors that stay in
 * registers; the best of several tries. */
double machine_peak(size_t threads);

/* The same of one thread with so many sums at once, 1 to MOST_SUMS. Each adds to its
 * own last result, so few of them wait; too many do not fit the registers. */
enum { MOST_SUMS = 20 };
double machine_rate_of_sums(size_t sums);

/* Cycles a second: of integer additions that each wait for the one before, which takes
 * a cycle. */
double machine_clock(void);

/* Bytes a second of reading an array of so many bytes again and again, shared out among
 * the threads; the best of several tries. With `change` each number is also written
 * back: a byte that is changed counts twice. */
double machine_bandwidth(size_t bytes, size_t threads, bool change);

#endif
