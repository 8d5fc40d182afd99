/* Wall-clock time, for progress bars and benchmarks; never part of a result. */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

/* Seconds since some fixed moment. */
double clock_seconds(void);

#endif
