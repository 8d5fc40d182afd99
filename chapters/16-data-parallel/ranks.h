/* The processes of a run, which MPI has started: this one's rank, and their number. */
#ifndef CHAPTER_16_RANKS_H
#define CHAPTER_16_RANKS_H

#include <mpi.h>
#include <stddef.h>

typedef struct {
    MPI_Comm comm;
    size_t rank, n;
} Ranks;

/* First in main. Rank 0 alone writes to standard output from here on. An error of any
 * rank ends the job; one that all ranks find is told once, by rank 0. */
Ranks ranks_start(int *argc, char ***argv);

/* The first n of these ranks, as a group of their own; comm is MPI_COMM_NULL for the
 * others. */
Ranks ranks_first(const Ranks *all, size_t n);
void ranks_free(Ranks *ranks);

/* Messages that follow begin "PROGRAM, rank 2: ". */
void ranks_name_errors(const Ranks *ranks, const char *program);

/* count * size bytes of rank 0, for all. */
void ranks_broadcast(const Ranks *ranks, void *data, size_t count, size_t size);

/* Every number of x [n] is set at one rank and 0 at the others; behind this all ranks
 * have all of them. A sum with zeros rounds nothing, so MPI may add in any order. */
void ranks_share_floats(const Ranks *ranks, float *x, size_t n);

/* Between these two calls this rank may wait for others. After a minute, or
 * $WAIT_SECONDS, it says so in one line: ranks in a deadlock say nothing else. */
void ranks_wait_begin(const Ranks *ranks);
void ranks_wait_end(void);

#endif
