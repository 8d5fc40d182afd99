/* OpenMP's threads as POSIX threads, in the place of the compiler's library.
 * ThreadSanitizer knows when those begin and end, and so sees two threads that use one
 * variable, of which one writes, whether they meet in time or not. Linked with what was
 * compiled by -fsanitize=thread: find_races in tools/make/lib.sh.
 *
 * These are the functions that gcc calls for parallel loops, critical sections and
 * barriers. Code that needs others (tasks) is not checked. */
#include <pthread.h>
#include <stdbool.h>

enum { MOST = 16 };

typedef struct {
    void (*function)(void *);
    void *data;
    int number, team;
    pthread_barrier_t *barrier;
    long begin, end; /* what is left of the loop that a region begins with */
} Share;

static _Thread_local Share own = {.team = 1};
static int wanted_threads = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *share) {
    own = *(const Share *)share;
    own.function(own.data);
    return NULL;
}

/* Thread i takes the i-th part of a loop, for every kind of schedule. Loops over size_t
 * come as long, with the same bits. */
static long part_begin(const Share *share, int i, long start, long end, long step) {
    long rounds = (end - start + (step > 0 ? step - 1 : step + 1)) / step;
    return start + step * (rounds > 0 ? rounds * i / share->team : 0);
}

static void take_part(Share *share, long start, long end, long step) {
    share->begin = part_begin(share, share->number, start, end, step);
    share->end = part_begin(share, share->number + 1, start, end, step);
}

/* n = 0: as many as omp_set_num_threads has said. In a parallel region there is one
 * thread for another. */
static void run_team(void (*function)(void *), void *data, unsigned n, long start,
                     long end, long step) {
    int team = own.team > 1 ? 1 : n ? (int)n : wanted_threads;
    if (team > MOST) team = MOST;
    pthread_t threads[MOST];
    Share shares[MOST], before = own;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)team);
    for (int i = 0; i < team; i++) {
        shares[i] = (Share){.function = function,
                            .data = data,
                            .number = i,
                            .team = team,
                            .barrier = &barrier};
        take_part(&shares[i], start, end, step);
        if (i > 0) pthread_create(&threads[i], NULL, work, &shares[i]);
    }
    work(&shares[0]);
    own = before;
    for (int i = 1; i < team; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned n, unsigned flags);
void GOMP_parallel(void (*function)(void *), void *data, unsigned n, unsigned flags) {
    (void)flags;
    run_team(function, data, n, 0, 0, 1);
}

/* Gives what is left of the thread's part, all of it; false: nothing. */
static bool give_part(long *begin, long *end) {
    *begin = own.begin;
    *end = own.end;
    own.begin = own.end;
    return *begin != *end;
}

/* Loops of a schedule: of a region of their own, within another, and of numbers without
 * a sign. */
#define LOOPS(schedule)                                                                \
    void GOMP_parallel_loop_##schedule(void (*function)(void *), void *data,           \
                                       unsigned n, long start, long end, long step,    \
                                       long chunk, unsigned flags);                    \
    void GOMP_parallel_loop_##schedule(void (*function)(void *), void *data,           \
                                       unsigned n, long start, long end, long step,    \
                                       long chunk, unsigned flags) {                   \
        (void)chunk, (void)flags;                                                      \
        run_team(function, data, n, start, end, step);                                 \
    }                                                                                  \
    bool GOMP_loop_##schedule##_next(long *begin, long *end);                          \
    bool GOMP_loop_##schedule##_next(long *begin, long *end) {                         \
        return give_part(begin, end);                                                  \
    }                                                                                  \
    bool GOMP_loop_##schedule##_start(long start, long end, long step, long chunk,     \
                                      long *first, long *last);                        \
    bool GOMP_loop_##schedule##_start(long start, long end, long step, long chunk,     \
                                      long *first, long *last) {                       \
        (void)chunk;                                                                   \
        take_part(&own, start, end, step);                                             \
        return give_part(first, last);                                                 \
    }                                                                                  \
    bool GOMP_loop_ull_##schedule##_next(long *begin, long *end);                      \
    bool GOMP_loop_ull_##schedule##_next(long *begin, long *end) {                     \
        return give_part(begin, end);                                                  \
    }                                                                                  \
    bool GOMP_loop_ull_##schedule##_start(bool up, long start, long end, long step,    \
                                          long chunk, long *first, long *last);        \
    bool GOMP_loop_ull_##schedule##_start(bool up, long start, long end, long step,    \
                                          long chunk, long *first, long *last) {       \
        (void)up, (void)chunk;                                                         \
        take_part(&own, start, end, step);                                             \
        return give_part(first, last);                                                 \
    }
LOOPS(nonmonotonic_dynamic)
LOOPS(nonmonotonic_guided)

void GOMP_barrier(void);
void GOMP_barrier(void) {
    if (own.team > 1) pthread_barrier_wait(own.barrier);
}

void GOMP_loop_end(void);
void GOMP_loop_end(void) {
    GOMP_barrier();
}

void GOMP_loop_end_nowait(void);
void GOMP_loop_end_nowait(void) {}

bool GOMP_single_start(void);
bool GOMP_single_start(void) {
    return own.number == 0;
}

/* One lock serves all critical sections. */
#define LOCKS(start, end, parameter)                                                   \
    void start(parameter);                                                             \
    void end(parameter);                                                               \
    void start(parameter) {                                                            \
        pthread_mutex_lock(&lock);                                                     \
    }                                                                                  \
    void end(parameter) {                                                              \
        pthread_mutex_unlock(&lock);                                                   \
    }
LOCKS(GOMP_critical_start, GOMP_critical_end, void)
LOCKS(GOMP_atomic_start, GOMP_atomic_end, void)
LOCKS(GOMP_critical_name_start, GOMP_critical_name_end,
      __attribute__((unused)) void **name)

int omp_get_thread_num(void);
int omp_get_thread_num(void) {
    return own.number;
}

int omp_get_num_threads(void);
int omp_get_num_threads(void) {
    return own.team;
}

int omp_in_parallel(void);
int omp_in_parallel(void) {
    return own.team > 1;
}

int omp_get_max_threads(void);
int omp_get_max_threads(void) {
    return own.team > 1 ? 1 : wanted_threads;
}

void omp_set_num_threads(int n);
void omp_set_num_threads(int n) {
    wanted_threads = n > 0 ? n : 1;
}
