/* A matrix that need not lie row by row: as it is, transposed, or a part of one. */
#ifndef KERNELS_VIEW_H
#define KERNELS_VIEW_H

#include <stddef.h>

/* A matrix whose element (i, j) is data[i * row + j * column]; one of the two steps
 * is 1. */
typedef struct {
    const float *data;
    size_t row, column;
} View;

static inline View view_at(View v, size_t i, size_t j) {
    return (View){v.data + i * v.row + j * v.column, v.row, v.column};
}

#endif
