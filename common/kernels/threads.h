/* How many threads work. */
#ifndef KERNELS_THREADS_H
#define KERNELS_THREADS_H

#include <stddef.h>

/* Sets the number of threads that the next computations share. Built without OpenMP
 * there is always one. */
void threads_use(size_t n);

/* Threads available here: 1 inside a parallel region. */
size_t threads_available(void);

/* The share of n processors that n threads get which compute for so many seconds: below
 * 1 where other programs compute, too, or where the threads share a processor. */
double threads_share(size_t n, double seconds);

/* Call this before n threads are timed: they spin until the scheduler has put them on
 * different processors. Threads that wake up may begin on one; at short pieces of work
 * they take turns there, and the system does not see that they want two. OpenBLAS's
 * threads spin for a while after a product, so all sleep first. Does nothing for one
 * thread. */
void threads_spread(size_t n);

#endif
