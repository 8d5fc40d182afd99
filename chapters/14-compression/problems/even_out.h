/* Open problem 14/even_out (**): a turn after which outliers cost Q4_0 no more than
 * noise does */
#ifndef CHAPTER_14_EVEN_OUT_H
#define CHAPTER_14_EVEN_OUT_H

enum { EVEN_OUT_DIM = 256 };

/* A turn of a row in place: linear, the same for every row, and lengths stay what they
 * were. Then a product needs no decoding to be right: W x = (turned W) (turned x). It
 * may not depend on the matrix. */
void turn_row(float x[EVEN_OUT_DIM]);

/* The way back. */
void turn_row_back(float x[EVEN_OUT_DIM]);

#endif
