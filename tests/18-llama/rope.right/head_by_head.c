/* Head by head, with float functions; backward by forward with other frequencies. */
#include "18-llama/rope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rope_frequencies(float *frequencies, size_t d_model, size_t n_head, float base) {
    size_t pairs = d_model / n_head / 2;
    for (size_t i = 0; i < pairs; i++)
        frequencies[i] = powf(base, -(float)i / (float)pairs);
}

static void turn_head(float *head, float position, const float *frequencies,
                      size_t half) {
    for (size_t i = 0; i < half; i++) {
        float angle = position * frequencies[i], a = head[i], b = head[i + half];
        head[i] = a * cosf(angle) - b * sinf(angle);
        head[i + half] = b * cosf(angle) + a * sinf(angle);
    }
}

void rope_forward(float *out, const float *qkv, const RopeShape *s) {
    size_t width = (s->n_head + 2 * s->n_kv_head) * s->head_dim;
    memcpy(out, qkv, s->rows * width * sizeof *out);
    for (size_t r = 0; r < s->rows; r++, out += width) {
        for (size_t h = 0; h < s->n_head + s->n_kv_head; h++)
            turn_head(out + h * s->head_dim, (float)s->positions[r], s->frequencies,
                      s->head_dim / 2);
    }
}

void rope_backward(float *dqkv, const float *dout, const RopeShape *s) {
    size_t n = s->rows * (s->n_head + 2 * s->n_kv_head) * s->head_dim;
    float *back = malloc(n * sizeof *back),
          *negative = malloc(s->head_dim / 2 * sizeof *negative);
    for (size_t i = 0; i < s->head_dim / 2; i++) negative[i] = -s->frequencies[i];
    RopeShape other = *s;
    other.frequencies = negative;
    rope_forward(back, dout, &other);
    for (size_t i = 0; i < n; i++) dqkv[i] += back[i];
    free(back);
    free(negative);
}
