/* How many threads a piece of work gets: see thread_count.h. */
#include "kernels/thread_count.h"

#include "base/clock.h"
#include "kernels/threads.h"

enum { SHORTEST_REST = 2, LONGEST_REST = 64 };
static const double better = 0.95, surprise = 1.3;
/* Failed trials may cost so much of all, and one piece in advance. */
static const double most_lost = 0.015;

ThreadCount thread_count_create(size_t most) {
    return (ThreadCount){.most = most,
                         .now = most,
                         .next = most,
                         .left = SHORTEST_REST,
                         .rest = SHORTEST_REST,
                         .up = true};
}

void thread_count_begin(ThreadCount *c) {
    threads_use(c->next);
    c->started = clock_seconds();
}

void thread_count_end(ThreadCount *c) {
    thread_count_learn(c, clock_seconds() - c->started);
}

/* The least of the last pieces: what disturbs only one of them says nothing. */
static double usual(const ThreadCount *c) {
    double least = c->recent[0];
    for (size_t i = 1; i < c->n_recent; i++)
        if (c->recent[i] < least) least = c->recent[i];
    return least;
}

static void remember(ThreadCount *c, double seconds) {
    if (c->n_recent < THREAD_COUNT_RECENT) {
        c->recent[c->n_recent++] = seconds;
        return;
    }
    for (size_t i = 1; i < THREAD_COUNT_RECENT; i++) c->recent[i - 1] = c->recent[i];
    c->recent[THREAD_COUNT_RECENT - 1] = seconds;
}

static void learn_from_trial(ThreadCount *c, double seconds) {
    if (seconds < better * usual(c)) {
        c->now = c->next;
        c->n_recent = 0;
        remember(c, seconds);
        c->rest = SHORTEST_REST;
        c->lost = 0;
    } else {
        c->lost += seconds - usual(c);
        if (c->rest < LONGEST_REST) c->rest *= 2;
    }
    c->left = c->rest;
    c->usual = usual(c);
    c->next = c->now;
}

/* Pieces that suddenly take longer, or less: the machine has other work now, and what
 * was learned is old. */
static void learn_from_piece(ThreadCount *c, double seconds) {
    remember(c, seconds);
    if (c->left > 0) c->left--;
    if (c->usual > 0 &&
        (usual(c) > surprise * c->usual || surprise * usual(c) < c->usual))
        c->left = 0;
}

void thread_count_learn(ThreadCount *c, double seconds) {
    if (c->most == 1 || c->n_pieces++ == 0) return;
    c->total += seconds;
    if (c->next != c->now) {
        learn_from_trial(c, seconds);
        return;
    }
    learn_from_piece(c, seconds);
    if (c->left > 0 || c->lost > usual(c) + most_lost * c->total) return;
    c->up = c->now == 1 || (c->now < c->most && !c->up);
    c->next = c->up ? c->now + 1 : c->now - 1;
}
