/* A pretended MPI: see pretend_mpi.h. */
#include "16-data-parallel/pretend_mpi.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Turns in which nothing happens, until that is a deadlock. */
enum { MOST_IDLE = 2000 };

PretendTraffic pretend;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t n, turn, idle;
    bool ended[PRETEND_MOST], stuck;
    const char *waits[PRETEND_MOST]; /* what each does while it waits; NULL: it runs */
    const PretendRequest *waits_for[PRETEND_MOST];
    char said[600]; /* the first thing that is wrong */
    PretendRank *body;
    void *context;
} run = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local size_t me;

static const uint32_t not_here = 0x7fc16a16;

bool pretend_is_not_here(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7fffffff) == not_here;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    if (run.said[0]) return;
    va_list values;
    va_start(values, format);
    vsnprintf(run.said, sizeof run.said, format, values);
    va_end(values);
}

/* --- whose turn it is: the lock is held by the rank that runs --- */

static void next_turn(void) {
    for (size_t i = 0; i < run.n; i++) {
        run.turn = (run.turn + 1) % run.n;
        if (!run.ended[run.turn]) break;
    }
    pthread_cond_broadcast(&run.changed);
}

static void end_turn(void) {
    run.ended[me] = true;
    run.idle = 0;
    next_turn();
    pthread_mutex_unlock(&run.lock);
}

/* Of this rank, and of the others at their next wait. */
__attribute__((noreturn)) static void stop(void) {
    run.stuck = true;
    pthread_cond_broadcast(&run.changed);
    pthread_mutex_unlock(&run.lock);
    pthread_exit(NULL);
}

/* Another rank's turn. Does not come back where all of them wait for ever. */
static void yield_turn(void) {
    if (++run.idle > MOST_IDLE) run.stuck = true;
    next_turn();
    while (run.turn != me && !run.stuck) pthread_cond_wait(&run.changed, &run.lock);
    if (run.stuck) stop();
}

/* --- messages --- */

static PretendRequest *request_of(MPI_Request request) {
    size_t number = (size_t)(intptr_t)request;
    if (request == MPI_REQUEST_NULL) return NULL;
    if (number < 1 || number > pretend.n_requests) {
        say("rank %zu waits for a request that MPI has not given it", me);
        return NULL;
    }
    return &pretend.requests[number - 1];
}

static size_t bytes_of(int count, MPI_Datatype type) {
    size_t size = type == MPI_FLOAT ? sizeof(float) : type == MPI_BYTE ? 1 : 0;
    if (size == 0) say("a message is of another type than MPI_FLOAT");
    if (count < 0) say("a message of %d numbers", count);
    return count < 0 ? 0 : (size_t)count * size;
}

static MPI_Request post_message(bool sends, void *data, size_t bytes, int other,
                                int tag) {
    bool nobody = other < 0 || (size_t)other >= run.n;
    if (nobody && (sends || other != MPI_ANY_SOURCE))
        say("rank %zu of %zu %s rank %d, which there is not", me, run.n,
            sends ? "sends to" : "receives from", other);
    if (pretend.n_requests == PRETEND_MESSAGES) {
        say("more than %d messages", PRETEND_MESSAGES);
        return MPI_REQUEST_NULL;
    }
    PretendRequest *r = &pretend.requests[pretend.n_requests++];
    *r = (PretendRequest){.sends = sends,
                          .rank = (int)me,
                          .other = other,
                          .tag = tag,
                          .data = data,
                          .then = checked_alloc(bytes + 1, 1),
                          .bytes = bytes};
    for (size_t i = 0; i < bytes && !sends; i++)
        r->data[i] = ((const unsigned char *)&not_here)[i % sizeof not_here];
    if (bytes) memcpy(r->then, data, bytes);
    if (sends) {
        pretend.bytes_sent[me] += bytes;
        pretend.messages_sent[me]++;
    }
    run.idle = 0;
    return (MPI_Request)(intptr_t)pretend.n_requests;
}

/* Messages between two ranks do not overtake each other: the first that fits. */
static PretendRequest *partner_of(const PretendRequest *r) {
    for (size_t i = 0; i < pretend.n_requests; i++) {
        PretendRequest *o = &pretend.requests[i];
        const PretendRequest *in = r->sends ? o : r, *out = r->sends ? r : o;
        if (o->done || o->sends == r->sends || out->other != in->rank) continue;
        if (in->other != out->rank && in->other != MPI_ANY_SOURCE) continue;
        if (in->tag == out->tag || in->tag == MPI_ANY_TAG) return o;
    }
    return NULL;
}

static void deliver(PretendRequest *in, PretendRequest *out) {
    if (out->bytes > in->bytes)
        say("a message of %zu bytes from rank %d to rank %d, which expects %zu",
            out->bytes, out->rank, in->rank, in->bytes);
    size_t bytes = out->bytes < in->bytes ? out->bytes : in->bytes;
    if (memcmp(out->data, out->then, out->bytes) != 0)
        say("rank %d changes numbers that MPI still sends: they belong to MPI "
            "until a wait says that they have left",
            out->rank);
    if (memcmp(in->data, in->then, in->bytes) != 0)
        say("rank %d writes to where a message is still to arrive: the place "
            "belongs to MPI until a wait says that it is here",
            in->rank);
    if (bytes) memcpy(in->data, out->data, bytes);
    in->done = out->done = true;
    run.idle = 0;
}

/* A sender's waiting moves a message too, but only when nothing else goes on. */
static bool test_request(PretendRequest *r) {
    bool now = !r->sends || run.idle > 2 * run.n;
    PretendRequest *partner = now && !r->done ? partner_of(r) : NULL;
    if (partner && r->sends) deliver(partner, partner_of(partner));
    if (partner && !r->sends) deliver(r, partner);
    if (r->done) r->counted = true;
    return r->done;
}

static void wait_for(MPI_Request *request, MPI_Status *status, const char *where) {
    PretendRequest *r = request_of(*request);
    if (!r) return;
    run.waits[me] = where;
    run.waits_for[me] = r;
    while (!test_request(r)) yield_turn();
    run.waits[me] = NULL;
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = r->other;
        status->MPI_TAG = r->tag;
    }
    *request = MPI_REQUEST_NULL;
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int other, int tag,
              MPI_Comm comm, MPI_Request *request) {
    (void)comm;
    size_t bytes = bytes_of(n, type);
    *request = post_message(true, (void *)(uintptr_t)data, bytes, other, tag);
    return MPI_SUCCESS;
}

int MPI_Irecv(void *data, int n, MPI_Datatype type, int other, int tag, MPI_Comm comm,
              MPI_Request *request) {
    (void)comm;
    *request = post_message(false, data, bytes_of(n, type), other, tag);
    return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    wait_for(request, status, "MPI_Wait");
    return MPI_SUCCESS;
}

/* All of them go on while it waits for one: a message that is sent may be what another
 * rank waits for. */
int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    (void)statuses;
    *flag = 1;
    for (int i = 0; i < n; i++) {
        PretendRequest *r = request_of(requests[i]);
        if (r && !test_request(r)) {
            run.waits_for[me] = r;
            *flag = 0;
        }
    }
    for (int i = 0; i < n && *flag; i++) requests[i] = MPI_REQUEST_NULL;
    if (!*flag) {
        if (!run.waits[me]) run.waits[me] = "MPI_Test";
        yield_turn();
    }
    run.waits[me] = NULL;
    return MPI_SUCCESS;
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
    int all = 0;
    while (!all) {
        run.waits[me] = "MPI_Waitall";
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
    wait_for(&request, MPI_STATUS_IGNORE, "MPI_Send");
    return MPI_SUCCESS;
}

int MPI_Issend(const void *data, int n, MPI_Datatype type, int other, int tag,
               MPI_Comm comm, MPI_Request *request) {
    return MPI_Isend(data, n, type, other, tag, comm, request);
}

int MPI_Ssend(const void *data, int n, MPI_Datatype type, int other, int tag,
              MPI_Comm comm) {
    return MPI_Send(data, n, type, other, tag, comm);
}

int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status) {
    *index = MPI_UNDEFINED;
    for (bool active = true; active && *index == MPI_UNDEFINED;) {
        active = false;
        for (int i = 0; i < n && *index == MPI_UNDEFINED; i++) {
            PretendRequest *r = request_of(requests[i]);
            if (!r) continue;
            active = true;
            run.waits[me] = "MPI_Waitany";
            run.waits_for[me] = r;
            if (test_request(r)) *index = i;
        }
        if (active && *index == MPI_UNDEFINED) yield_turn();
    }
    run.waits[me] = NULL;
    if (*index != MPI_UNDEFINED) wait_for(&requests[*index], status, "MPI_Waitany");
    return MPI_SUCCESS;
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int other, int tag, MPI_Comm comm,
             MPI_Status *status) {
    MPI_Request request;
    MPI_Irecv(data, n, type, other, tag, comm, &request);
    wait_for(&request, status, "MPI_Recv");
    return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype type_out, int to, int tag_out,
                 void *in, int n_in, MPI_Datatype type_in, int from, int tag_in,
                 MPI_Comm comm, MPI_Status *status) {
    MPI_Request sending, receiving;
    MPI_Irecv(in, n_in, type_in, from, tag_in, comm, &receiving);
    MPI_Isend(out, n_out, type_out, to, tag_out, comm, &sending);
    wait_for(&receiving, status, "MPI_Sendrecv");
    wait_for(&sending, MPI_STATUS_IGNORE, "MPI_Sendrecv");
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    (void)comm;
    *rank = (int)me;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *n) {
    (void)comm;
    *n = (int)run.n;
    return MPI_SUCCESS;
}

int MPI_Sendrecv_replace(void *data, int n, MPI_Datatype type, int to, int tag_out,
                         int from, int tag_in, MPI_Comm comm, MPI_Status *status) {
    size_t bytes = bytes_of(n, type);
    void *out = checked_alloc(bytes + 1, 1);
    if (bytes) memcpy(out, data, bytes);
    MPI_Sendrecv(out, n, type, to, tag_out, data, n, type, from, tag_in, comm, status);
    free(out);
    return MPI_SUCCESS;
}

/* Further ones would reach the library, which nobody has started. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSED(name, why, ...)                                                        \
    int name(__VA_ARGS__) {                                                            \
        say(#name " is called: " why);                                                 \
        stop();                                                                        \
    }
REFUSED(MPI_Allreduce, "the exercise is to do without it", const void *x, void *y,
        int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
#define OTHERS                                                                         \
    "these tests know MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv, MPI_Sendrecv, "        \
    "MPI_Wait, MPI_Test and their like"
#define MESSAGE int n, MPI_Datatype type, int other, int tag, MPI_Comm comm
REFUSED(MPI_Probe, OTHERS, int other, int tag, MPI_Comm comm, MPI_Status *status)
REFUSED(MPI_Iprobe, OTHERS, int other, int tag, MPI_Comm comm, int *flag,
        MPI_Status *status)
REFUSED(MPI_Get_count, OTHERS, const MPI_Status *status, MPI_Datatype type, int *n)
REFUSED(MPI_Send_init, OTHERS, const void *data, MESSAGE, MPI_Request *request)
REFUSED(MPI_Ssend_init, OTHERS, const void *data, MESSAGE, MPI_Request *request)
REFUSED(MPI_Recv_init, OTHERS, void *data, MESSAGE, MPI_Request *request)
REFUSED(MPI_Bsend, OTHERS, const void *data, MESSAGE)
REFUSED(MPI_Waitsome, OTHERS, int n, MPI_Request requests[], int *n_done, int done[],
        MPI_Status statuses[])
REFUSED(MPI_Testany, OTHERS, int n, MPI_Request requests[], int *index, int *flag,
        MPI_Status *status)

/* --- a run --- */

static void *run_rank(void *number) {
    me = (size_t)(uintptr_t)number;
    pthread_mutex_lock(&run.lock);
    while (run.turn != me && !run.stuck) pthread_cond_wait(&run.changed, &run.lock);
    if (!run.stuck) {
        run.body(&(Ranks){MPI_COMM_WORLD, me, run.n}, run.context);
    }
    end_turn();
    return NULL;
}

static void tell_deadlock(void) {
    char text[500] = "";
    size_t used = 0;
    for (size_t r = 0; r < run.n && used < sizeof text; r++) {
        const PretendRequest *q = run.waits_for[r];
        if (run.ended[r] || !run.waits[r] || !q) continue;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%srank %zu is in %s until rank %d %s",
            used ? ", " : "", r, run.waits[r], q->other,
            q->sends ? "receives what it sends" : "sends something");
    }
    say("the ranks wait for each other for ever: %s", text);
}

static void look_for_unfinished(void) {
    for (size_t i = 0; i < pretend.n_requests; i++) {
        PretendRequest *r = &pretend.requests[i];
        if (!r->counted)
            say("rank %d returns while a message %s rank %d is under way: "
                "nothing has waited for it",
                r->rank, r->sends ? "to" : "from", r->other);
        free(r->then);
    }
}

const char *pretend_ranks(size_t n, PretendRank *body, void *context) {
    pthread_t threads[PRETEND_MOST];
    run.n = n;
    run.body = body;
    run.context = context;
    run.turn = run.idle = pretend.n_requests = 0;
    run.stuck = false;
    run.said[0] = '\0';
    for (size_t r = 0; r < n; r++) {
        run.ended[r] = false;
        run.waits[r] = NULL;
        run.waits_for[r] = NULL;
        pretend.bytes_sent[r] = pretend.messages_sent[r] = 0;
    }
    for (size_t r = 0; r < n; r++)
        pthread_create(&threads[r], NULL, run_rank, (void *)(uintptr_t)r);
    for (size_t r = 0; r < n; r++) pthread_join(threads[r], NULL);
    if (run.stuck) tell_deadlock();
    look_for_unfinished();
    return run.said[0] ? run.said : NULL;
}
