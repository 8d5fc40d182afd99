/* Time, for progress bars and benchmarks; never part of a result that must repeat. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>

/* Seconds since some fixed moment. */
double clock_seconds(void);

/* Seconds that all threads of this program have computed together, which does not count
 * other programs. The system adds up those of the other threads a tick of some
 * milliseconds late or early: not for anything shorter than a tenth of a second. */
double clock_processor_seconds(void);

/* Seconds that the calling thread has computed, exactly: others that still look for
 * work do not count. */
double clock_thread_seconds(void);

/* The clock to time n threads with: clock_thread_seconds for one, clock_seconds for
 * more. */
double clock_seconds_of(size_t threads);

#endif
