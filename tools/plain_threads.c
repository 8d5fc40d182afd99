/* OpenMP's threads as POSIX threads, in the place of the compiler's library. ThreadSanitizer knows when those
 * begin and end, and so sees two threads that use one variable, of which one writes, whether they meet in
 * time or not. Linked with an exercise that was compiled by -fsanitize=thread: find_races in tools/lib.sh.
 *
 * These are the functions that gcc calls for parallel loops of the usual schedule, critical sections and
 * barriers. Code that needs others (tasks) is not checked. */
#include <pthread.h>

enum { MOST = 16 };

typedef struct {
    void (*function)(void *);
    void *data;
    int number, team;
    pthread_barrier_t *barrier;
} Share;

static _Thread_local Share own = {.team = 1};
static int wanted_threads = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *share) {
    own = *(const Share *)share;
    own.function(own.data);
    return NULL;
}

/* n = 0: as many as omp_set_num_threads has said. In a parallel region there is one thread for another. */
void GOMP_parallel(void (*function)(void *), void *data, unsigned n, unsigned flags);
void GOMP_parallel(void (*function)(void *), void *data, unsigned n, unsigned flags) {
    (void)flags;
    int team = own.team > 1 ? 1 : n ? (int)n : wanted_threads;
    if (team > MOST) team = MOST;
    pthread_t threads[MOST];
    Share shares[MOST], before = own;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)team);
    for (int i = 0; i < team; i++) {
        shares[i] = (Share){function, data, i, team, &barrier};
        if (i > 0) pthread_create(&threads[i], NULL, work, &shares[i]);
    }
    work(&shares[0]);
    own = before;
    for (int i = 1; i < team; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
}

void GOMP_barrier(void);
void GOMP_barrier(void) {
    if (own.team > 1) pthread_barrier_wait(own.barrier);
}

_Bool GOMP_single_start(void);
_Bool GOMP_single_start(void) {
    return own.number == 0;
}

/* One lock serves all critical sections. */
#define LOCKS(start, end, parameter)                                                                         \
    void start(parameter);                                                                                   \
    void end(parameter);                                                                                     \
    void start(parameter) {                                                                                  \
        pthread_mutex_lock(&lock);                                                                           \
    }                                                                                                        \
    void end(parameter) {                                                                                    \
        pthread_mutex_unlock(&lock);                                                                         \
    }
LOCKS(GOMP_critical_start, GOMP_critical_end, void)
LOCKS(GOMP_atomic_start, GOMP_atomic_end, void)
LOCKS(GOMP_critical_name_start, GOMP_critical_name_end, __attribute__((unused)) void **name)

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
