/* Panel by panel with whole rows copied at once where they lie in order. */
#include <string.h>

#include "15-speed/pack.h"

void pack(float *packed, View from, size_t depth, size_t columns, size_t width) {
    for (size_t p = 0; p * width < columns; p++) {
        size_t filled = columns - p * width < width ? columns - p * width : width;
        for (size_t l = 0; l < depth; l++) {
            float *to = packed + (p * depth + l) * width;
            View row = view_at(from, l, p * width);
            memset(to, 0, width * sizeof *to);
            if (row.column == 1) memcpy(to, row.data, filled * sizeof *to);
            for (size_t x = 0; row.column != 1 && x < filled; x++)
                to[x] = row.data[x * row.column];
        }
    }
}
