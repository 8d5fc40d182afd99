/* The first pair that would come back is held below half a turn. Before you read on:
 * make hint-18 P=long_context */
#include "18-llama/problems/long_context.h"

#include <math.h>

/* A pair whose cosine falls over the whole trained length is one that the model may
 * read distances from. Behind half a turn it rises again: what is far looks near. So
 * the fastest of these pairs is slowed until the wanted length fits into half a turn.
 * The two before it take a smaller part of the change. The slower ones still have room,
 * and the faster ones tell neighbours apart: both stay. */
void long_context(float *frequencies, size_t n_pairs, size_t trained, size_t wanted) {
    const float half_turn = 3.14159265f, part[] = {1, 0.3f, 0.1f};
    size_t first = 0;
    while (first < n_pairs && frequencies[first] * (float)trained > half_turn) first++;
    if (first == n_pairs) return;
    float slower = half_turn / (float)wanted / frequencies[first];
    if (slower >= 1) return;
    for (size_t i = 0; i < 3 && i <= first; i++)
        frequencies[first - i] *= powf(slower, part[i]);
}
