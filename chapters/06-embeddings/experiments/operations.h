/* Operations of this chapter's models on the tape. */
#ifndef CHAPTER_06_OPERATIONS_H
#define CHAPTER_06_OPERATIONS_H

#include "tensor/tape.h"

/* x [rows, cols] -> [cols, rows] */
Tensor *transpose(Tape *t, Tensor *x);

/* Every place receives a weighted sum of all places: out[b][i] is the sum over j of
 * weights[b][i][j] x[b][j]. weights [B, I, T], or [I, T] for all rows alike; x [B, T,
 * C] -> [B, I, C]. */
Tensor *mix(Tape *t, Tensor *weights, Tensor *x);

/* [1, places], each 1 / places: the mean over all places. */
Tensor *mean_of_places(Tape *t, size_t places);

/* [batch, 1, places]: the mean over the first lengths[b] places of row b. */
Tensor *mean_of_words(Tape *t, const size_t *lengths, size_t batch, size_t places);

/* [places, places]: row i is the mean over places 0 to i. */
Tensor *mean_so_far(Tape *t, size_t places);

#endif
