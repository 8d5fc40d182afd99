/* Learned positions, as in GPT-2: a second embedding table, looked up by where a token
 * stands. */
#ifndef CHAPTER_06_POSITIONS_H
#define CHAPTER_06_POSITIONS_H

#include "tensor/tape.h"

/* Exercise 06/word_positions for a batch without padding: fills ids [batch, length]
 * with ids[b][t] = first[b] + t. first [batch] is how many
 * tokens came before in each row (a cache holds them, chapter 13); NULL: none. */
void position_ids(int *ids, const size_t *first, size_t batch, size_t length);

/* The rows of table [n_positions, dim] for these ids -> [batch, length, dim]. A row
 * that would run past the table ends the program. The table may be learned, or
 * sinusoidal_table without a gradient. */
Tensor *positions(Tape *t, Tensor *table, const size_t *first, size_t batch,
                  size_t length);

#endif
