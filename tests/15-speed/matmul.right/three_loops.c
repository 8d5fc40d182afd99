/* No blocks at all: slow, and right. */
#include <math.h>

#include "15-speed/matmul.h"

void blocked_matmul(float *c, View a, View b, size_t m, size_t n, size_t k) {
    for (size_t i = 0; i < m; i++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t j = 0; j < n; j++)
                c[i * n + j] =
                    fmaf(*view_at(a, i, l).data, *view_at(b, l, j).data, c[i * n + j]);
        }
    }
}
