/* An attack on 07/heads: every number is its own place, so that where it goes can be
 * read off; rows longer than the heads. */
#include "07-attention/heads.h"

#include "check/check.h"

enum { B = 2, T = 3, H = 4, D = 5, STRIDE = H * D + 7, N = B * T * STRIDE };

Test(attack, places) {
    float x[N], out[B * H * T * D], *back = ones_and_a_half(N);
    double right[B * H * T * D], right_back[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = (float)i;
        right_back[i] = 1.5;
    }
    for (size_t i = 0; i < B * H * T * D; i++) {
        size_t b = i / (H * T * D), h = i / (T * D) % H, t = i / D % T;
        size_t at = (b * T + t) * STRIDE + h * D + i % D;
        right[i] = (double)at;
        right_back[at] += (double)at;
    }
    split_heads(out, x, B, T, H, D, STRIDE);
    CHECK_CLOSE("split", out, right, B * H * T * D, 1e-6);
    merge_heads(back, out, B, T, H, D, STRIDE);
    CHECK_CLOSE("merged", back, right_back, N, 1e-6);
}
