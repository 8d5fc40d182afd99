/* Column by column: all rows' sums grow side by side in out. */
#include "14-compression/q4_0.h"

#include <math.h>

#include "math/half.h"

void q4_0_matvec(float *out, const float *x, const BlockQ4_0 *blocks, size_t rows,
                 size_t cols) {
    for (size_t r = 0; r < rows; r++) out[r] = 0;
    for (size_t c = 0; c < cols; c++) {
        for (size_t r = 0; r < rows; r++) {
            const BlockQ4_0 *b = &blocks[(r * cols + c) / BLOCK];
            int shift = c % BLOCK < 16 ? 0 : 4;
            int q = (b->q[c % 16] >> shift) % 16;
            out[r] = fmaf((float)(q - 8) * half_to_float(b->scale), x[c], out[r]);
        }
    }
}
