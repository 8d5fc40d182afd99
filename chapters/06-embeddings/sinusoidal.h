/* Exercise 06/sinusoidal: positions as sines and cosines (Vaswani et al. 2017,
 * section 3.5). */
#ifndef CHAPTER_06_SINUSOIDAL_H
#define CHAPTER_06_SINUSOIDAL_H

#include <stddef.h>

//> sinusoidal_table
/* out [n_positions, dim]: out[p][2i] = sin(p / 10000^(2i/dim)), out[p][2i+1] = cos(the
 * same angle). Angles are taken in double (sin_double, cos_double, exp_double,
 * log_double of fmath.h). dim may be odd: the last column is a sine. */
void sinusoidal_table(float *out, size_t n_positions, size_t dim);
//< sinusoidal_table

#endif
