/* Tuning the number of threads: see thread_tuner.h. */
#include "kernels/thread_tuner.h"

#include "base/clock.h"
#include "kernels/threads.h"

enum { SHORTEST_REST = 2, LONGEST_REST = 64 };
static const double better = 0.95, surprise = 1.3;
/* Failed trials may cost so much of all, and one piece in advance. */
static const double most_lost = 0.015;

ThreadTuner thread_tuner_create(size_t most) {
    return (ThreadTuner){.most = most,
                         .now = most,
                         .next = most,
                         .left = SHORTEST_REST,
                         .rest = SHORTEST_REST,
                         .up = true};
}

void thread_tuner_begin(ThreadTuner *t) {
    threads_use(t->next);
    t->started = clock_seconds();
}

void thread_tuner_end(ThreadTuner *t) {
    thread_tuner_learn(t, clock_seconds() - t->started);
}

/* The shortest of the last pieces: a disturbance of only one of them says nothing. */
static double usual(const ThreadTuner *t) {
    double least = t->recent[0];
    for (size_t i = 1; i < t->n_recent; i++)
        if (t->recent[i] < least) least = t->recent[i];
    return least;
}

static void remember(ThreadTuner *t, double seconds) {
    if (t->n_recent < THREAD_TUNER_RECENT) {
        t->recent[t->n_recent++] = seconds;
        return;
    }
    for (size_t i = 1; i < THREAD_TUNER_RECENT; i++) t->recent[i - 1] = t->recent[i];
    t->recent[THREAD_TUNER_RECENT - 1] = seconds;
}

static void learn_from_trial(ThreadTuner *t, double seconds) {
    if (seconds < better * usual(t)) {
        t->now = t->next;
        t->n_recent = 0;
        remember(t, seconds);
        t->rest = SHORTEST_REST;
        t->lost = 0;
    } else {
        t->lost += seconds - usual(t);
        if (t->rest < LONGEST_REST) t->rest *= 2;
    }
    t->left = t->rest;
    t->usual = usual(t);
    t->next = t->now;
}

/* Pieces that suddenly take longer, or less: the machine has other work now, and the
 * tuner must learn anew. */
static void learn_from_piece(ThreadTuner *t, double seconds) {
    remember(t, seconds);
    if (t->left > 0) t->left--;
    if (t->usual > 0 &&
        (usual(t) > surprise * t->usual || surprise * usual(t) < t->usual))
        t->left = 0;
}

void thread_tuner_learn(ThreadTuner *t, double seconds) {
    if (t->most == 1 || t->n_pieces++ == 0) return;
    t->total += seconds;
    if (t->next != t->now) {
        learn_from_trial(t, seconds);
        return;
    }
    learn_from_piece(t, seconds);
    if (t->left > 0 || t->lost > usual(t) + most_lost * t->total) return;
    t->up = t->now == 1 || (t->now < t->most && !t->up);
    t->next = t->up ? t->now + 1 : t->now - 1;
}
