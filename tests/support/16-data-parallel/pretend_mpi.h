/* Ranks that are threads of one process, and MPI's functions for messages between two
 * of them, which take the place of the library's (the MPI standard lets tools do that).
 * For tests of code that sends: linked into all tests of chapter 16, and only there.
 *
 * One rank runs at a time, until it waits, so that a run is the same every time. A
 * message moves as late as the standard allows: when its receiver waits for it, or when
 * nothing else can go on. Until then nothing is in the buffer that it shall go to but
 * a NaN that no computation makes, and the sender's is compared with what it was. No
 * send is complete before it is received. Ranks that all wait are a deadlock, which is
 * told, not waited for. */
#ifndef TESTS_PRETEND_MPI_H
#define TESTS_PRETEND_MPI_H

#include <stdbool.h>

#include "16-data-parallel/ranks.h"
#include "check/check.h"

enum { PRETEND_MOST = 8, PRETEND_MESSAGES = 1000 };

typedef struct {
    bool sends, done, counted;  /* counted: by a function that has waited for it */
    int rank, other, tag;       /* its rank, and the other one */
    unsigned char *data, *then; /* then: what data was when it was given to MPI */
    size_t bytes;
} PretendRequest;

/* All requests of the last run in the order in which they were made, and what each rank
 * sent. */
typedef struct {
    PretendRequest requests[PRETEND_MESSAGES];
    size_t n_requests;
    size_t bytes_sent[PRETEND_MOST], messages_sent[PRETEND_MOST];
} PretendTraffic;

extern PretendTraffic pretend;

typedef void PretendRank(const Ranks *ranks, void *context);

/* Calls body as each of n ranks, n <= PRETEND_MOST. Returns NULL if all of them came to
 * its end, and did what MPI asks; else what was wrong (static memory). */
const char *pretend_ranks(size_t n, PretendRank *body, void *context);

/* Is x of a message that is under way? */
bool pretend_is_not_here(float x);

#endif
