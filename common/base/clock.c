/* Time: see clock.h. */
#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_processor_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread_seconds(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
#else /* a program in a page has one thread */
    return clock_processor_seconds();
#endif
}

double clock_seconds_of(size_t threads) {
    return threads == 1 ? clock_thread_seconds() : clock_seconds();
}
