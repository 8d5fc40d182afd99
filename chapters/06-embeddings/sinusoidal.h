/* Exercise 06/sinusoidal: positions as sines and cosines (Vaswani et al. 2017, section
 * 3.5), and how a row moves on without its position. Several threads may call it at
 * once. */
#ifndef CHAPTER_06_SINUSOIDAL_H
#define CHAPTER_06_SINUSOIDAL_H

#include <stddef.h>

//> sinusoidal_table
/* out [n_positions, dim]: the table S of the lesson, with dim for its width C. Columns
 * 2i and 2i + 1 have one frequency; dim may be odd, and then the last column is a sine.
 * Angles are taken in double (functions of fmath.h). */
void sinusoidal_table(float *out, size_t n_positions, size_t dim);

/* rows [n, dim] are rows of such a table, of an even width, at positions that are not
 * told. Replaces each by the row `by` positions further on, or back where by is
 * negative. */
void sinusoidal_move(float *rows, size_t n, size_t dim, int by);
//< sinusoidal_table

#endif
