/* Zeros everywhere, then every element of the matrix goes to its place. */
#include "15-speed/pack.h"

void pack(float *packed, View from, size_t depth, size_t columns, size_t width) {
    size_t panels = columns / width + (columns % width > 0);
    for (size_t i = 0; i < panels * depth * width; i++) packed[i] = 0;
    for (size_t j = 0; j < columns; j++) {
        for (size_t l = 0; l < depth; l++)
            packed[j / width * depth * width + l * width + j % width] =
                *view_at(from, l, j).data;
    }
}
