/* A part of a matrix in panels. Before you read on: make hint-15 EX=pack */
#include "15-speed/pack.h"

void pack(float *packed, View from, size_t depth, size_t columns, size_t width) {
    for (size_t j = 0; j < columns; j += width) { /* a panel */
        for (size_t l = 0; l < depth; l++) {
            for (size_t x = 0; x < width; x++) {
                float value = 0;
                if (j + x < columns)
                    value = from.data[l * from.row + (j + x) * from.column];
                *packed++ = value;
            }
        }
    }
}
