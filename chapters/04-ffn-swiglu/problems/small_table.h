/* Open problem 04/small_table (**): GELU and its like from 32 numbers, within 0.0003 */
#ifndef CHAPTER_04_SMALL_TABLE_H
#define CHAPTER_04_SMALL_TABLE_H

#include <stddef.h>

enum { TABLE_VALUES = 32 };

/* Value i of the table is f(table_node(i)), where f is GELU, x sigmoid(a x) or a
 * mixture of the two: smooth, f(x) - f(-x) = x, and for large x nearly x. */
float table_node(size_t i);

/* f(x) from the table alone, for any x. */
float table_read(const float values[TABLE_VALUES], float x);

#endif
