/* Rotary positions. Before you read on: make hint-18 EX=rope */
#include "18-llama/rope.h"

#include "math/fmath.h"

void rope_frequencies(float *frequencies, size_t d_model, size_t n_head, float base) {
    size_t head_dim = d_model / n_head;
    for (size_t i = 0; i < head_dim / 2; i++) {
        double exponent = -2.0 * (double)i / (double)head_dim;
        frequencies[i] = (float)exp_double(exponent * log_double((double)base));
    }
}

/* Adds row r, rotated, to `out`: by its angles, or with direction -1 back by them. */
static void add_row(float *out, const float *x, size_t r, const RopeShape *s,
                    float direction) {
    size_t half = s->head_dim / 2, rotated = (s->n_head + s->n_kv_head) * s->head_dim;
    for (size_t i = 0; i < half; i++) {
        float angle = (float)s->positions[r] * s->frequencies[i];
        float c = (float)cos_double((double)angle),
              sine = direction * (float)sin_double((double)angle);
        for (size_t h = 0; h < rotated; h += s->head_dim) {
            float a = x[h + i], b = x[h + i + half];
            out[h + i] += a * c - b * sine;
            out[h + i + half] += b * c + a * sine;
        }
    }
    for (size_t j = rotated; j < rotated + s->n_kv_head * s->head_dim; j++)
        out[j] += x[j];
}

static size_t row_width(const RopeShape *s) {
    return (s->n_head + 2 * s->n_kv_head) * s->head_dim;
}

void rope_forward(float *out, const float *qkv, const RopeShape *shape) {
    size_t width = row_width(shape);
#pragma omp parallel for if (shape->rows * width > 1 << 14)
    for (size_t r = 0; r < shape->rows; r++) {
        for (size_t j = 0; j < width; j++) out[r * width + j] = 0.0f;
        add_row(out + r * width, qkv + r * width, r, shape, 1.0f);
    }
}

/* A rotation's transpose is the rotation back. */
void rope_backward(float *dqkv, const float *dout, const RopeShape *shape) {
    size_t width = row_width(shape);
#pragma omp parallel for if (shape->rows * width > 1 << 14)
    for (size_t r = 0; r < shape->rows; r++)
        add_row(dqkv + r * width, dout + r * width, r, shape, -1.0f);
}
