/* Threads: see threads.h. */
#include "kernels/threads.h"

#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/clock.h"

void threads_use(size_t n) {
#ifdef _OPENMP
    omp_set_num_threads((int)n);
#else
    (void)n;
#endif
}

size_t threads_available(void) {
#ifdef _OPENMP
    return omp_in_parallel() ? 1 : (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

double threads_share(size_t n, double seconds) {
    double began = clock_seconds(), processor = clock_processor_seconds();
#pragma omp parallel num_threads((int)n)
    while (clock_seconds() - began < seconds) {
    }
    return (clock_processor_seconds() - processor) / (clock_seconds() - began) /
           (double)n;
}

void threads_spread(size_t n) {
    enum { TRIES = 7 }; /* beside a busy process they may never part */
    const double spread = 0.95, a_while = 0.03;
    if (n == 1) return;
    nanosleep(&(struct timespec){.tv_nsec = 40000000}, NULL);
    for (int tries = 0; tries < TRIES && threads_share(n, a_while) < spread; tries++) {
    }
}
