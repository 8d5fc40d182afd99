/* GPTQ: see gptq.h. */
#include "14-compression/gptq.h"

#include <stdlib.h>
#include <string.h>

#include "14-compression/gptq_step.h"
#include "14-compression/linear_algebra.h"
#include "14-compression/q3.h"
#include "14-compression/q4_0.h"
#include "14-compression/stream.h"
#include "base/error.h"
#include "math/half.h"
#include "base/memory.h"

/* U [n, n], upper triangular, with U^T U = (H + damping)^-1. Taken the other way round,
 * from the last row and column to the first, H = L L^T gives an upper triangular H = R
 * R^T; then H^-1 = R^-T R^-1 and U = R^-1. */
static float *inverse_factor(const float *moments, size_t n) {
    double mean = 0, *h = checked_alloc(size_mul(n, n), sizeof *h);
    for (size_t i = 0; i < n; i++) mean += (double)moments[i * n + i] / (double)n;
    if (!(mean > 0)) mean = 1; /* inputs that are always zero: any rounding will do */
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            h[(n - 1 - i) * n + n - 1 - j] = (double)moments[i * n + j];
    }
    for (size_t i = 0; i < n; i++) h[i * n + i] += 0.01 * mean;
    if (!cholesky(h, n))
        die("gptq: the inputs' moments are not those of finite numbers");
    invert_lower(h, n);
    float *u = checked_alloc(size_mul(n, n), sizeof *u);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++)
            u[i * n + j] = (float)h[(n - 1 - i) * n + n - 1 - j];
    }
    free(h);
    return u;
}

/* The encoders' interface: how a group's scale is found and one weight is rounded to
 * it. */
typedef struct {
    size_t block_bytes;
    float zero, top; /* weight = scale * (q - zero), q from 0 to top */
    void (*encode)(void *block, const float *group); /* for the scale alone */
    void (*put)(void *block, size_t i, uint32_t q);
} Grid;

static void encode_4(void *block, const float *group) {
    q4_0_encode(block, group);
    memset(((BlockQ4_0 *)block)->q, 0, BLOCK / 2);
}

static void put_4(void *block, size_t i, uint32_t q) {
    ((BlockQ4_0 *)block)->q[i % (BLOCK / 2)] |= (uint8_t)(q << (i < BLOCK / 2 ? 0 : 4));
}

static void encode_3(void *block, const float *group) {
    q3_encode(block, group);
    memset(((BlockQ3 *)block)->q, 0, sizeof((BlockQ3 *)block)->q);
}

static void put_3(void *block, size_t i, uint32_t q) {
    bits_put(((BlockQ3 *)block)->q, i, 3, q);
}

static void code_row(char *blocks, float *w, const float *u, size_t cols,
                     const Grid *g) {
    for (size_t j = 0; j < cols; j++) {
        char *block = blocks + j / BLOCK * g->block_bytes;
        if (j % BLOCK == 0) g->encode(block, w + j);
        float scale = half_to_float(half_at(block, 0)); /* both kinds begin with it */
        float q = scale != 0 ? w[j] / scale + g->zero + 0.5f : g->zero;
        q = q < 0 ? 0 : q > g->top ? g->top : q;
        uint32_t whole = (uint32_t)q;
        g->put(block, j % BLOCK, whole);
        gptq_step(w, j, scale * ((float)whole - g->zero), u + j * cols, cols);
    }
}

static void *gptq_encode(const Matrix *m, const Grid *g) {
    if (!m->moments) die("gptq: needs to know the inputs");
    float *u = inverse_factor(m->moments, m->cols);
    size_t row_bytes = m->cols / BLOCK * g->block_bytes;
    char *blocks = checked_alloc(m->rows, row_bytes);
#pragma omp parallel
    {
        float *w = checked_alloc(m->cols, sizeof *w);
#pragma omp for schedule(dynamic)
        for (size_t r = 0; r < m->rows; r++) {
            memcpy(w, m->data + r * m->cols, m->cols * sizeof *w);
            code_row(blocks + r * row_bytes, w, u, m->cols, g);
        }
        free(w);
    }
    free(u);
    return blocks;
}

void *gptq_encode_q4_0(const Matrix *m, double unused) {
    (void)unused;
    return gptq_encode(m, &(Grid){.block_bytes = sizeof(BlockQ4_0),
                                  .zero = 8,
                                  .top = 15,
                                  .encode = encode_4,
                                  .put = put_4});
}

void *gptq_encode_q3(const Matrix *m, double unused) {
    (void)unused;
    return gptq_encode(m, &(Grid){.block_bytes = sizeof(BlockQ3),
                                  .zero = 4,
                                  .top = 7,
                                  .encode = encode_3,
                                  .put = put_3});
}
