/* Open problem 06/long_positions. The rules are in
 * chapters/06-embeddings/problems/long_positions.h. */
#include "06-embeddings/problems/long_positions.h"

#include "06-embeddings/sinusoidal.h"
#include "program/problem.h"

void long_positions(float table[LOOKBACK_PLACES][LOOKBACK_DIM]) {
    PROBLEM_TODO("06/long_positions");
    sinusoidal_table(&table[0][0], LOOKBACK_PLACES, LOOKBACK_DIM);
}
