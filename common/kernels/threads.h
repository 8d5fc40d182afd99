/* How many threads work. */
#ifndef KERNELS_THREADS_H
#define KERNELS_THREADS_H

#include <stddef.h>

/* What is computed next is shared out among n threads. Built without OpenMP there is
 * one, whatever n is. */
void threads_use(size_t n);

/* Among how many threads that is: one, if the caller itself is one of several that
 * share something out. */
size_t threads_available(void);

/* The share of n processors that n threads get which compute for so many seconds: below
 * 1 where other programs compute, too, or where the threads share a processor. */
double threads_share(size_t n, double seconds);

/* To be called before n threads are timed. Threads that wake up may begin on one
 * processor. If each then takes turns with the other at short pieces of work, the
 * system does not see that they want two: so all compute for a while, until they have
 * parted. And those of OpenBLAS look for work for a while after a product: so first
 * everybody sleeps. Does nothing for one thread. */
void threads_spread(size_t n);

#endif
