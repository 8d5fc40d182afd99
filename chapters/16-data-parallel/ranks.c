/* The processes of a run: see ranks.h. */
#include "16-data-parallel/ranks.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

enum { WAIT_FOR_LEADER = 5, WAIT_FOR_OTHERS = 60, MOST_BYTES = 1 << 28 };

static bool ended_early;

static void end_early(void) {
    ended_early = true;
}

/* All ranks must come to MPI_Finalize. One that ends before its time does not, and
 * mpirun ends the others. */
static void finalize(void) {
    if (!ended_early) MPI_Finalize();
}

/* An error that all ranks meet, such as bad options or a loss that is not finite, is
 * printed by rank 0, whose exit ends the others by a signal while they wait here. An
 * error of one rank alone is printed after that time. */
static void let_leader_speak(void) {
    if (sleep(WAIT_FOR_LEADER) > 0) _exit(EXIT_INPUT);
}

Ranks ranks_start(int *argc, char ***argv) {
    int rank, n, threads;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &threads);
    if (threads < MPI_THREAD_FUNNELED)
        die("this MPI is for programs without threads, and ours has some");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    atexit(finalize);
    error_before_exit(end_early);
    if (rank > 0) {
        unsetenv("PROGRESS_BAR");
        error_before_message(let_leader_speak);
        if (!freopen("/dev/null", "w", stdout))
            die("file '/dev/null' cannot be written");
    }
    return (Ranks){MPI_COMM_WORLD, (size_t)rank, (size_t)n};
}

Ranks ranks_first(const Ranks *all, size_t n) {
    Ranks ranks = {.rank = all->rank, .n = n};
    MPI_Comm_split(all->comm, all->rank < n ? 0 : MPI_UNDEFINED, (int)all->rank,
                   &ranks.comm);
    return ranks;
}

void ranks_free(Ranks *ranks) {
    if (ranks->comm != MPI_COMM_NULL) MPI_Comm_free(&ranks->comm);
}

void ranks_name_errors(const Ranks *ranks, const char *program) {
    static char name[100];
    snprintf(name, sizeof name, "%s, rank %zu", program, ranks->rank);
    error_set_program(name);
}

/* MPI counts in int. */
void ranks_broadcast(const Ranks *ranks, void *data, size_t count, size_t size) {
    size_t bytes = size_mul(count, size);
    for (size_t at = 0; at < bytes; at += MOST_BYTES) {
        size_t n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        MPI_Bcast((char *)data + at, (int)n, MPI_BYTE, 0, ranks->comm);
    }
}

void ranks_share_floats(const Ranks *ranks, float *x, size_t n) {
    for (size_t at = 0; at < n; at += MOST_BYTES) {
        size_t count = n - at < MOST_BYTES ? n - at : MOST_BYTES;
        MPI_Allreduce(MPI_IN_PLACE, x + at, (int)count, MPI_FLOAT, MPI_SUM,
                      ranks->comm);
    }
}

static char waiting[160];

static void say_waiting(int signal_number) {
    (void)signal_number;
    ssize_t written = write(STDERR_FILENO, waiting, strlen(waiting));
    (void)written;
}

void ranks_wait_begin(const Ranks *ranks) {
    const char *given = getenv("WAIT_SECONDS");
    unsigned seconds = given ? (unsigned)strtoul(given, NULL, 10) : WAIT_FOR_OTHERS;
    snprintf(
        waiting, sizeof waiting,
        "rank %zu has waited for another rank for %u s; where all ranks say so, it "
        "is a deadlock, which Ctrl-C ends\n",
        ranks->rank, seconds);
    struct sigaction action = {.sa_handler = say_waiting, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

void ranks_wait_end(void) {
    alarm(0);
}
