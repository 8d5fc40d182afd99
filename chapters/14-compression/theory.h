/* Expected errors of codecs on weights that are independent normal numbers, relative to
 * their deviation: an error of 1 is that of storing zeros. */
#ifndef CHAPTER_14_THEORY_H
#define CHAPTER_14_THEORY_H

#include <stddef.h>

/* The error that is left when only the share f in [0, 1] of the largest magnitude is
 * kept:
 *
 *     sqrt(1 - f - 2 t phi(t)),   where a share f of normal numbers is beyond t or -t.
 *
 * The same under every orthonormal transform: it makes independent normal numbers of
 * independent normal numbers. */
double top_share_error(double f);

/* The error of rounding to 4 bits where n weights share a scale, an eighth of the
 * largest of them, m. That one is exact, any other is anywhere in its step, off by a
 * mean square of a twelfth:
 *
 *     sqrt((1 - 1 / n) E m^2 / (8^2 * 12)). */
double group_error(size_t n);

/* 2^-bits: with so many bits a weight no codec has a smaller error, however it uses
 * them (Shannon 1948). */
double rate_bound(double bits);

/* The bits a weight that the DCT of 32 x 32 tiles saves at equal error: log2 of the
 * arithmetic over the geometric mean of the 1024 mean squares, halved. Only whole tiles
 * of w [rows, cols] count. 0 where the transform finds nothing, infinite where a
 * coefficient is zero in all tiles. n tiles of white noise give about 0.72 / n, not 0:
 * mean squares of n numbers scatter. NaN without a whole tile. */
double coding_gain(const float *w, size_t rows, size_t cols);

#endif
