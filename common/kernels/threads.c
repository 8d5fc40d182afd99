/* Threads: see threads.h. */
#define _GNU_SOURCE /* program_invocation_name */
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

size_t threads_free(void) {
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

void threads_part(size_t n) {
    enum { TRIES = 7 }; /* beside a busy process they may never part */
    const double parted = 0.95, a_while = 0.03;
    if (n == 1) return;
    nanosleep(&(struct timespec){.tv_nsec = 40000000}, NULL);
    for (int tries = 0; tries < TRIES && threads_share(n, a_while) < parted; tries++) {
    }
}

#if defined(_OPENMP) && defined(__linux__)
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* What gcc's runtime and clang's are told. GOMP_SPINCOUNT counts looks, of 10 ns and
 * more by processor; KMP_BLOCKTIME counts milliseconds. Fewer cost more on an idle
 * machine, where waking a thread takes as long as what lies between two parts of a
 * training step; more, beside a busy process. make bench ARGS="--experiment waiting"
 * measures both. */
static const char *const choice[][2] = {{"GOMP_SPINCOUNT", "5000"},
                                        {"KMP_BLOCKTIME", "1"}};
static const char *const choices_of_user[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT",
                                              "KMP_BLOCKTIME", "KMP_LIBRARY"};

static bool is_chosen(void) {
    for (size_t i = 0; i < sizeof choices_of_user / sizeof *choices_of_user; i++)
        if (getenv(choices_of_user[i])) return true;
    return false;
}

void threads_choose_waiting(char **argv) {
    /* A test that calls program_run is not the program that argv names. */
    if (is_chosen() || argv[0] != program_invocation_name) return;
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++)
        if (setenv(choice[i][0], choice[i][1], 0) != 0) return;
    /* The link's text and not the link: an emulator's own link leads to the
     * emulator. */
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    execv(path, argv);
}

#else

void threads_choose_waiting(char **argv) {
    (void)argv;
}

#endif
