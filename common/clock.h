/* Time, for progress bars and benchmarks; never part of a result that must repeat. */
#ifndef COMMON_CLOCK_H
#define COMMON_CLOCK_H

/* Seconds since some fixed moment. */
double clock_seconds(void);

/* Seconds that all threads of this program have computed together, which does not count what else the machine
 * does. */
double clock_processor_seconds(void);

/* The same of the calling thread alone: others that still look for work do not count. */
double clock_thread_seconds(void);

#endif
