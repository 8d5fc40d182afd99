/* Half of the function, cubic, and denser where it bends. Before you read on: make
 * hint-04 P=small_table */
#include "04-ffn-swiglu/problems/small_table.h"

#include <math.h>

/* f(x) - f(-x) = x: the table needs x >= 0 only, and there f(x) = x - rest(x) with a
 * rest that fades out. Nodes lie at END u^2 for equal steps of u: near 0 they are
 * close. */
static const float END = 13;

float table_node(size_t i) {
    float u = (float)i / (TABLE_VALUES - 1);
    return END * u * u;
}

/* The rest at node i. As a function of u it is even, and behind the end it is 0. */
static float rest(const float values[TABLE_VALUES], int i) {
    size_t place = (size_t)(i < 0 ? -i : i);
    return place < TABLE_VALUES ? table_node(place) - values[place] : 0;
}

float table_read(const float values[TABLE_VALUES], float x) {
    float place = sqrtf(fabsf(x) / END) * (TABLE_VALUES - 1), above = x > 0 ? x : 0;
    if (!(place < TABLE_VALUES)) return above;
    /* The cubic through four neighbours, two on either side (Lagrange). */
    int i = (int)place;
    float p = place - (float)i, q = 1 - p;
    return above +
           (rest(values, i - 1) * p * q * (q + 1) +
            rest(values, i + 2) * p * q * (p + 1)) /
               6 -
           (rest(values, i) * q * (p + 1) * (q + 1) +
            rest(values, i + 1) * p * (p + 1) * (q + 1)) /
               2;
}
