/* Clock hands that all go round often before place 32. Before you read on: make hint-06
 * P=long_positions */
#include "06-embeddings/problems/long_positions.h"

#include "math/fmath.h"

/* Once the trained places end, a slow hand points where training never saw it. These go
 * round in 2.5 to 9 places. Their rates lie evenly: 32 places tell each from the next,
 * and no two places look alike to all. */
void long_positions(float table[LOOKBACK_PLACES][LOOKBACK_DIM]) {
    enum { HANDS = LOOKBACK_DIM / 2 };
    const double slowest = 0.11, fastest = 0.4; /* turns a place */
    for (size_t p = 0; p < LOOKBACK_PLACES; p++) {
        for (size_t i = 0; i < HANDS; i++) {
            double turns =
                (double)p * (slowest + (fastest - slowest) * (double)i / (HANDS - 1));
            table[p][2 * i] = (float)sin_turn(turns);
            table[p][2 * i + 1] = (float)cos_turn(turns);
        }
    }
}
