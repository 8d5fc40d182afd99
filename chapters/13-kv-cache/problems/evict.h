/* Open problem 13/evict (**): a rule for full caches that answers more than a window
 * does */
#ifndef CHAPTER_13_EVICT_H
#define CHAPTER_13_EVICT_H

#include <stddef.h>

/* A slot of the cache, and the token in it. */
typedef struct {
    size_t age; /* tokens that have come since it; 0: the newest */
    /* what it got from the newest token; the sum over the slots is 1 */
    float attention;
    float yours; /* 0 when the token comes, then for you to set */
} Slot;

/* Called after each token once the cache is full: which of the n slots the next token
 * shall have. */
size_t evict(Slot *slots, size_t n);

#endif
