/* Pair by pair, byte by byte. */
#include "18-llama/permute_rope.h"

#include <stdbool.h>

static void move(char *out, const char *in, size_t bytes) {
    for (size_t b = 0; b < bytes; b++) out[b] = in[b];
}

static void pairs(char *out, const char *in, size_t n_head, size_t dim, size_t bytes,
                  bool apart) {
    for (size_t p = 0; p < n_head * (dim / 2); p++) {
        size_t begin = p / (dim / 2) * dim, i = p % (dim / 2);
        size_t near[2] = {begin + 2 * i, begin + 2 * i + 1},
               far[2] = {begin + i, begin + i + dim / 2};
        for (int k = 0; k < 2; k++)
            move(out + (apart ? far : near)[k] * bytes,
                 in + (apart ? near : far)[k] * bytes, bytes);
    }
}

void rope_to_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                  size_t row_bytes) {
    pairs(out, rows, n_head, head_dim, row_bytes, false);
}

void rope_from_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                    size_t row_bytes) {
    pairs(out, rows, n_head, head_dim, row_bytes, true);
}
