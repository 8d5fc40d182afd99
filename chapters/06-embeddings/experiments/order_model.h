/* A task that cannot be learned without positions: which of two words comes first? */
#ifndef CHAPTER_06_ORDER_MODEL_H
#define CHAPTER_06_ORDER_MODEL_H

#include <stddef.h>
#include <stdint.h>

typedef enum { ORDER_NO_POSITIONS, ORDER_LEARNED, ORDER_SINUSOIDAL, N_ORDER_POSITIONS } OrderPositions;

extern const char *const order_positions_names[N_ORDER_POSITIONS];

enum { ORDER_EVERY = 20 }; /* steps between two measurements */

/* Trains a small model for `steps` steps to say whether word 0 comes before word 1 in sentences of 8 words,
 * and writes the share of right answers on 1024 new sentences to accuracy[0], accuracy[1] ...: before the
 * first step and after every ORDER_EVERY. Returns how many it wrote: steps / ORDER_EVERY + 1. */
size_t order_train(double *accuracy, OrderPositions kind, size_t steps, uint64_t seed);

#endif
