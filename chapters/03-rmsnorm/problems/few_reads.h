/* Open problem 03/few_reads (*): the size of a row of 64 numbers, from eight of them */
#ifndef CHAPTER_03_FEW_READS_H
#define CHAPTER_03_FEW_READS_H

#include <stddef.h>

enum { ROW_LENGTH = 64, FEW_READS = 8 };

/* A row that is read a number at a time: row_read(row, i) is number i. The judge
 * counts. */
typedef struct Row Row;
float row_read(Row *row, size_t i);

/* The root mean square of a row of which FEW_READS numbers may be read. examples [n,
 * ROW_LENGTH] are other rows of the same network, to be looked at in full. */
float few_reads(Row *row, const float *examples, size_t n);

#endif
