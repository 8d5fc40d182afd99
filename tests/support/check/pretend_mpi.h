/* Ranks that are threads of one process, and MPI's functions for messages between two
 * of them, which take the place of the library's (the MPI standard lets tools do that).
 * For tests of code that sends: included by one file of a program.
 *
 * One rank runs at a time, until it waits, so that a run is the same every time. A
 * message moves as late as the standard allows: when its receiver waits for it, or when
 * nothing else can go on. Until then nothing is in the buffer that it shall go to but
 * `not_here`, and the sender's is compared with what it was. No send is complete before
 * it is received. Ranks that all wait are a deadlock, which is told, not waited for. */
#ifndef TESTS_PRETEND_MPI_H
#define TESTS_PRETEND_MPI_H

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "16-data-parallel/ranks.h"
#include "base/memory.h"
#include "check/check.h"

enum { PRETEND_MOST = 8, PRETEND_MESSAGES = 1000, PRETEND_IDLE = 2000 };

typedef struct {
    bool sends, done, counted;  /* counted: by a function that has waited for it */
    int rank, other, tag;       /* whose it is, and with whom */
    unsigned char *data, *then; /* then: what data was when it was given to MPI */
    size_t bytes;
} PretendRequest;

typedef void PretendRank(const Ranks *ranks, void *context);

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t n, turn, n_ended, idle;
    bool ended[PRETEND_MOST], stuck;
    const char *waits[PRETEND_MOST]; /* what each does while it waits; NULL: it runs */
    const PretendRequest *waits_for[PRETEND_MOST];
    PretendRequest requests[PRETEND_MESSAGES];
    size_t n_requests;
    char said[600]; /* the first thing that is wrong */
    size_t bytes_sent[PRETEND_MOST], messages_sent[PRETEND_MOST];
    PretendRank *body;
    void *context;
} pretend = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local size_t pretend_me;

/* A NaN that no computation makes: of a message that is under way. */
static const uint32_t not_here = 0x7fc16a16;

static inline bool pretend_is_not_here(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7fffffff) == not_here;
}

__attribute__((format(printf, 1, 2))) static void pretend_say(const char *format, ...) {
    if (pretend.said[0]) return;
    va_list values;
    va_start(values, format);
    vsnprintf(pretend.said, sizeof pretend.said, format, values);
    va_end(values);
}

/* --- whose turn it is: the lock is held by the rank that runs --- */

static void pretend_next(void) {
    for (size_t i = 0; i < pretend.n; i++) {
        pretend.turn = (pretend.turn + 1) % pretend.n;
        if (!pretend.ended[pretend.turn]) break;
    }
    pthread_cond_broadcast(&pretend.changed);
}

static void pretend_end(void) {
    pretend.ended[pretend_me] = true;
    pretend.idle = 0;
    pretend_next();
    pthread_mutex_unlock(&pretend.lock);
}

/* Another rank's turn. Does not come back where all of them wait for ever. */
static void pretend_yield(void) {
    if (++pretend.idle > PRETEND_IDLE) pretend.stuck = true;
    pretend_next();
    while (pretend.turn != pretend_me && !pretend.stuck)
        pthread_cond_wait(&pretend.changed, &pretend.lock);
    if (!pretend.stuck) return;
    pthread_cond_broadcast(&pretend.changed);
    pthread_mutex_unlock(&pretend.lock);
    pthread_exit(NULL);
}

/* --- messages --- */

static PretendRequest *pretend_request(MPI_Request request) {
    size_t number = (size_t)(intptr_t)request;
    if (request == MPI_REQUEST_NULL) return NULL;
    if (number < 1 || number > pretend.n_requests) {
        pretend_say("rank %zu waits for a request that MPI has not given it",
                    pretend_me);
        return NULL;
    }
    return &pretend.requests[number - 1];
}

static size_t pretend_bytes(int count, MPI_Datatype type) {
    size_t size = type == MPI_FLOAT ? sizeof(float) : type == MPI_BYTE ? 1 : 0;
    if (size == 0) pretend_say("a message is of another type than MPI_FLOAT");
    if (count < 0) pretend_say("a message of %d numbers", count);
    return count < 0 ? 0 : (size_t)count * size;
}

static MPI_Request pretend_post(bool sends, void *data, size_t bytes, int other,
                                int tag) {
    bool nobody = other < 0 || (size_t)other >= pretend.n;
    if (nobody && (sends || other != MPI_ANY_SOURCE))
        pretend_say("rank %zu of %zu %s rank %d, which there is not", pretend_me,
                    pretend.n, sends ? "sends to" : "receives from", other);
    if (pretend.n_requests == PRETEND_MESSAGES) {
        pretend_say("more than %d messages", PRETEND_MESSAGES);
        return MPI_REQUEST_NULL;
    }
    PretendRequest *r = &pretend.requests[pretend.n_requests++];
    *r = (PretendRequest){.sends = sends,
                          .rank = (int)pretend_me,
                          .other = other,
                          .tag = tag,
                          .data = data,
                          .then = checked_alloc(bytes + 1, 1),
                          .bytes = bytes};
    for (size_t i = 0; i < bytes && !sends; i++)
        r->data[i] = ((const unsigned char *)&not_here)[i % sizeof not_here];
    if (bytes) memcpy(r->then, data, bytes);
    if (sends) {
        pretend.bytes_sent[pretend_me] += bytes;
        pretend.messages_sent[pretend_me]++;
    }
    pretend.idle = 0;
    return (MPI_Request)(intptr_t)pretend.n_requests;
}

/* Messages between two ranks do not overtake each other: the first that fits. */
static PretendRequest *pretend_partner(const PretendRequest *r) {
    for (size_t i = 0; i < pretend.n_requests; i++) {
        PretendRequest *o = &pretend.requests[i];
        const PretendRequest *in = r->sends ? o : r, *out = r->sends ? r : o;
        if (o->done || o->sends == r->sends || out->other != in->rank) continue;
        if (in->other != out->rank && in->other != MPI_ANY_SOURCE) continue;
        if (in->tag == out->tag || in->tag == MPI_ANY_TAG) return o;
    }
    return NULL;
}

static void pretend_move(PretendRequest *in, PretendRequest *out) {
    if (out->bytes > in->bytes)
        pretend_say("a message of %zu bytes from rank %d to rank %d, which expects %zu",
                    out->bytes, out->rank, in->rank, in->bytes);
    size_t bytes = out->bytes < in->bytes ? out->bytes : in->bytes;
    if (memcmp(out->data, out->then, out->bytes) != 0)
        pretend_say("rank %d changes numbers that MPI still sends: they belong to MPI "
                    "until a wait says that they have left",
                    out->rank);
    if (memcmp(in->data, in->then, in->bytes) != 0)
        pretend_say("rank %d writes to where a message is still to arrive: the place "
                    "belongs to MPI until a wait says that it is here",
                    in->rank);
    if (bytes) memcpy(in->data, out->data, bytes);
    in->done = out->done = true;
    pretend.idle = 0;
}

/* A sender's waiting moves a message too, but only when nothing else goes on. */
static bool pretend_test(PretendRequest *r) {
    bool now = !r->sends || pretend.idle > 2 * pretend.n;
    PretendRequest *partner = now && !r->done ? pretend_partner(r) : NULL;
    if (partner && r->sends) pretend_move(partner, pretend_partner(partner));
    if (partner && !r->sends) pretend_move(r, partner);
    if (r->done) r->counted = true;
    return r->done;
}

static void pretend_wait(MPI_Request *request, MPI_Status *status, const char *where) {
    PretendRequest *r = pretend_request(*request);
    if (!r) return;
    pretend.waits[pretend_me] = where;
    pretend.waits_for[pretend_me] = r;
    while (!pretend_test(r)) pretend_yield();
    pretend.waits[pretend_me] = NULL;
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = r->other;
        status->MPI_TAG = r->tag;
    }
    *request = MPI_REQUEST_NULL;
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int other, int tag,
              MPI_Comm comm, MPI_Request *request) {
    (void)comm;
    size_t bytes = pretend_bytes(n, type);
    *request = pretend_post(true, (void *)(uintptr_t)data, bytes, other, tag);
    return MPI_SUCCESS;
}

int MPI_Irecv(void *data, int n, MPI_Datatype type, int other, int tag, MPI_Comm comm,
              MPI_Request *request) {
    (void)comm;
    *request = pretend_post(false, data, pretend_bytes(n, type), other, tag);
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    pretend_wait(request, status, "MPI_Wait");
    return MPI_SUCCESS;
}

/* All of them go on while it waits for one: a message that is sent may be what another
 * rank waits for. */
int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    (void)statuses;
    *flag = 1;
    for (int i = 0; i < n; i++) {
        PretendRequest *r = pretend_request(requests[i]);
        if (r && !pretend_test(r)) {
            pretend.waits_for[pretend_me] = r;
            *flag = 0;
        }
    }
    for (int i = 0; i < n && *flag; i++) requests[i] = MPI_REQUEST_NULL;
    if (!*flag) {
        if (!pretend.waits[pretend_me]) pretend.waits[pretend_me] = "MPI_Test";
        pretend_yield();
    }
    pretend.waits[pretend_me] = NULL;
    return MPI_SUCCESS;
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
    int all = 0;
    while (!all) {
        pretend.waits[pretend_me] = "MPI_Waitall";
        MPI_Testall(n, requests, &all, statuses);
    }
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    return MPI_Testall(1, request, flag, status);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int other, int tag,
             MPI_Comm comm) {
    MPI_Request request;
    MPI_Isend(data, n, type, other, tag, comm, &request);
    pretend_wait(&request, MPI_STATUS_IGNORE, "MPI_Send");
    return MPI_SUCCESS;
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int other, int tag, MPI_Comm comm,
             MPI_Status *status) {
    MPI_Request request;
    MPI_Irecv(data, n, type, other, tag, comm, &request);
    pretend_wait(&request, status, "MPI_Recv");
    return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype type_out, int to, int tag_out,
                 void *in, int n_in, MPI_Datatype type_in, int from, int tag_in,
                 MPI_Comm comm, MPI_Status *status) {
    MPI_Request sending, receiving;
    MPI_Irecv(in, n_in, type_in, from, tag_in, comm, &receiving);
    MPI_Isend(out, n_out, type_out, to, tag_out, comm, &sending);
    pretend_wait(&receiving, status, "MPI_Sendrecv");
    pretend_wait(&sending, MPI_STATUS_IGNORE, "MPI_Sendrecv");
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    (void)comm;
    *rank = (int)pretend_me;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *n) {
    (void)comm;
    *n = (int)pretend.n;
    return MPI_SUCCESS;
}

int MPI_Allreduce(const void *x, void *y, int n, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    (void)x;
    (void)y;
    (void)n;
    (void)type;
    (void)op;
    (void)comm;
    pretend_say("MPI_Allreduce is called: the exercise is to do without it");
    return MPI_SUCCESS;
}

/* --- a run --- */

static void *pretend_run_rank(void *number) {
    pretend_me = (size_t)(uintptr_t)number;
    pthread_mutex_lock(&pretend.lock);
    while (pretend.turn != pretend_me && !pretend.stuck)
        pthread_cond_wait(&pretend.changed, &pretend.lock);
    if (!pretend.stuck) {
        pretend.body(&(Ranks){MPI_COMM_WORLD, pretend_me, pretend.n}, pretend.context);
    }
    pretend_end();
    return NULL;
}

static void pretend_tell_deadlock(void) {
    char text[500] = "";
    size_t used = 0;
    for (size_t r = 0; r < pretend.n && used < sizeof text; r++) {
        const PretendRequest *q = pretend.waits_for[r];
        if (pretend.ended[r] || !pretend.waits[r] || !q) continue;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%srank %zu is in %s until rank %d %s",
            used ? ", " : "", r, pretend.waits[r], q->other,
            q->sends ? "receives what it sends" : "sends something");
    }
    pretend_say("the ranks wait for each other for ever: %s", text);
}

static void pretend_look_back(void) {
    for (size_t i = 0; i < pretend.n_requests; i++) {
        PretendRequest *r = &pretend.requests[i];
        if (!r->counted)
            pretend_say("rank %d returns while a message %s rank %d is under way: "
                        "nothing has waited for it",
                        r->rank, r->sends ? "to" : "from", r->other);
        (free)(r->then);
    }
}

/* Calls body as each of n ranks. Returns NULL if all of them came to its end, and did
 * what MPI asks; else what was wrong (static memory). What was sent is in
 * pretend.bytes_sent and messages_sent until the next call. */
static inline const char *pretend_ranks(size_t n, PretendRank *body, void *context) {
    pthread_t threads[PRETEND_MOST];
    pretend.n = n;
    pretend.body = body;
    pretend.context = context;
    pretend.turn = pretend.idle = pretend.n_requests = 0;
    pretend.stuck = false;
    pretend.said[0] = '\0';
    for (size_t r = 0; r < n; r++) {
        pretend.ended[r] = false;
        pretend.waits[r] = NULL;
        pretend.waits_for[r] = NULL;
        pretend.bytes_sent[r] = pretend.messages_sent[r] = 0;
    }
    for (size_t r = 0; r < n; r++)
        pthread_create(&threads[r], NULL, pretend_run_rank, (void *)(uintptr_t)r);
    for (size_t r = 0; r < n; r++) pthread_join(threads[r], NULL);
    if (pretend.stuck) pretend_tell_deadlock();
    pretend_look_back();
    return pretend.said[0] ? pretend.said : NULL;
}

#endif
