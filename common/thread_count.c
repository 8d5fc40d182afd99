/* How many threads a piece of work gets: see thread_count.h. */
#include "thread_count.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "clock.h"

/* A trial costs most of a piece; after 64 others that is one in a hundred. */
enum { SHORTEST_REST = 2, LONGEST_REST = 64 };
static const double better = 0.95, surprise = 1.3;

ThreadCount thread_count_create(size_t most) {
    return (ThreadCount){.most = most,
                         .now = most,
                         .next = most,
                         .left = SHORTEST_REST + 1,
                         .rest = SHORTEST_REST,
                         .up = true};
}

void thread_count_begin(ThreadCount *c) {
#ifdef _OPENMP
    omp_set_num_threads((int)c->next);
#endif
    c->started = clock_seconds();
}

void thread_count_end(ThreadCount *c) {
    thread_count_learn(c, clock_seconds() - c->started);
}

static void learn_from_trial(ThreadCount *c, double seconds) {
    if (seconds < better * c->usual) {
        c->now = c->next;
        c->usual = seconds;
        c->rest = SHORTEST_REST;
    } else if (c->rest < LONGEST_REST) {
        c->rest *= 2;
    }
    c->left = c->rest;
    c->next = c->now;
}

/* A piece that suddenly takes longer, or less: the machine has other work now, and what was learned is old. */
static void learn_from_piece(ThreadCount *c, double seconds) {
    if (c->usual > 0 && (seconds > surprise * c->usual || surprise * seconds < c->usual)) {
        c->rest = SHORTEST_REST;
        c->left = c->left < SHORTEST_REST ? c->left : SHORTEST_REST;
    }
    c->usual = c->usual > 0 ? (c->usual + seconds) / 2 : seconds;
}

void thread_count_learn(ThreadCount *c, double seconds) {
    if (c->most == 1) return;
    if (c->next != c->now)
        learn_from_trial(c, seconds);
    else if (c->left <= SHORTEST_REST || c->usual > 0)
        learn_from_piece(c, seconds);
    if (--c->left > 0) return;
    c->up = c->now == 1 || (c->now < c->most && !c->up);
    c->next = c->up ? c->now + 1 : c->now - 1;
}
