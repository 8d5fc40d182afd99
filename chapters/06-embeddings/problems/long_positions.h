/* Open problem 06/long_positions (**): a table of positions that goes on past the
 * trained length */
#ifndef CHAPTER_06_LONG_POSITIONS_H
#define CHAPTER_06_LONG_POSITIONS_H

#include "06-embeddings/experiments/lookback_model.h"

/* Fills the table in place of sines and cosines: numbers from -1 to 1, which are not
 * learned. The model is the one that looks one place back: its scores are products of
 * rows with a learned matrix between them. It is trained on the first LOOKBACK_TRAINED
 * rows and asked at those behind. */
void long_positions(float table[LOOKBACK_PLACES][LOOKBACK_DIM]);

#endif
