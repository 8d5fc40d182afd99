/* Low rank: see low_rank.h. */
#include "14-compression/low_rank.h"

#include <stdlib.h>
#include <string.h>

#include "14-compression/linear_algebra.h"
#include "14-compression/stream.h"
#include "math/half.h"
#include "kernels/matmul.h"
#include "base/memory.h"
#include "math/random.h"

enum { ROUNDS = 30, SEED = 1 };

/* Power iteration on a subspace: rows of q [rank, cols] that span, nearly, what the
 * `rank` largest right singular vectors of x [rows, cols] do. Each round multiplies by
 * X^T X, which makes the larger ones larger still. */
static float *leading_rows(const float *x, size_t rows, size_t cols, size_t rank) {
    float *q = checked_alloc(size_mul(rank, cols), sizeof *q),
          *xq = checked_alloc(size_mul(rank, rows), sizeof *xq);
    Random random = random_create(SEED);
    random_fill_normal(&random, q, rank * cols, 1);
    orthonormalize(q, rank, cols);
    for (int round = 0; round < ROUNDS; round++) {
        matmul_a_bt(xq, q, x, rank, rows, cols, false);
        matmul(q, xq, x, rank, cols, rows, false);
        orthonormalize(q, rank, cols);
    }
    free(xq);
    return q;
}

/* The rank that this many bits pay for: 16 rank (rows + cols) bits. */
static size_t rank_of(const Matrix *m, double bits) {
    size_t least = m->rows < m->cols ? m->rows : m->cols;
    double rank =
        bits * (double)m->rows * (double)m->cols / (16 * (double)(m->rows + m->cols));
    return rank < 1 ? 1 : rank > (double)least ? least : (size_t)rank;
}

/* A = x Q^T, B = b: what is left to do is rounding. */
static void *stream_of(const float *a, const float *b, const Matrix *m, size_t rank) {
    size_t n_a = size_mul(m->rows, rank), n_b = size_mul(rank, m->cols);
    char *stream = checked_alloc(STREAM_HEAD + 2 * (n_a + n_b), 1);
    stream_begin(stream, (uint32_t)rank);
    for (size_t i = 0; i < n_a; i++)
        half_put(stream + STREAM_HEAD, i, float_to_half(a[i]));
    for (size_t i = 0; i < n_b; i++)
        half_put(stream + STREAM_HEAD, n_a + i, float_to_half(b[i]));
    return stream;
}

void *low_rank_encode(const Matrix *m, double bits) {
    size_t rank = rank_of(m, bits);
    float *q = leading_rows(m->data, m->rows, m->cols, rank),
          *a = checked_alloc(m->rows * rank, sizeof *a);
    matmul_a_bt(a, m->data, q, m->rows, rank, m->cols, false);
    void *stream = stream_of(a, q, m, rank);
    free(q);
    free(a);
    return stream;
}

/* ||(W - W') x||^2 is on average ||(W - W') L||^2 with L L^T = the moments: so the
 * nearest (W' L) to (W L), and W' L times L^-1. */
void *low_rank_encode_weighted(const Matrix *m, double bits) {
    size_t rank = rank_of(m, bits), n = m->cols;
    double *l = checked_alloc(size_mul(n, n), sizeof *l), mean = 0;
    for (size_t i = 0; i < n; i++) mean += (double)m->moments[i * n + i] / (double)n;
    for (size_t i = 0; i < n * n; i++) l[i] = (double)m->moments[i];
    for (size_t i = 0; i < n; i++) l[i * n + i] += 0.01 * mean;
    if (!cholesky(l, n)) {
        free(l);
        return low_rank_encode(m, bits); /* inputs that are always zero say nothing */
    }
    float *factor = checked_alloc(n * n, sizeof *factor),
          *wl = checked_alloc(m->rows * n, sizeof *wl);
    for (size_t i = 0; i < n * n; i++) factor[i] = (float)l[i];
    matmul(wl, m->data, factor, m->rows, n, n, false);
    float *q = leading_rows(wl, m->rows, n, rank),
          *a = checked_alloc(m->rows * rank, sizeof *a);
    matmul_a_bt(a, wl, q, m->rows, rank, n, false);
    invert_lower(l, n);
    for (size_t i = 0; i < n * n; i++) factor[i] = (float)l[i];
    float *b = checked_alloc(rank * n, sizeof *b);
    matmul(b, q, factor, rank, n, n, false);
    void *stream = stream_of(a, b, m, rank);
    free(l);
    free(factor);
    free(wl);
    free(q);
    free(a);
    free(b);
    return stream;
}

/* --- reading --- */

static size_t bytes_low_rank(const Weight *w) {
    return STREAM_HEAD +
           size_mul(size_mul(w->rows + w->cols, stream_parameter(w->data)),
                    sizeof(uint16_t));
}

/* The two factors as weights of float16. */
static Weight factor_a(const Weight *w) {
    return (Weight){.type = &weight_f16,
                    .data = (const char *)w->data + STREAM_HEAD,
                    .rows = w->rows,
                    .cols = stream_parameter(w->data)};
}

static Weight factor_b(const Weight *w) {
    size_t rank = stream_parameter(w->data);
    const char *data =
        (const char *)w->data + STREAM_HEAD + w->rows * rank * sizeof(uint16_t);
    return (Weight){.type = &weight_f16, .data = data, .rows = rank, .cols = w->cols};
}

static void read_low_rank(float *out, const Weight *w, size_t row, size_t first,
                          size_t n) {
    Weight a = factor_a(w), b = factor_b(w);
    float *along = checked_alloc(a.cols, sizeof *along),
          *part = checked_alloc(n, sizeof *part);
    weight_row(along, &a, row);
    memset(out, 0, n * sizeof *out);
    for (size_t k = 0; k < a.cols; k++) {
        b.type->read(part, &b, k, first, n);
        for (size_t i = 0; i < n; i++) out[i] += along[k] * part[i];
    }
    free(along);
    free(part);
}

/* x W^T = (x B^T) A^T: rank (rows + cols) multiply-adds in the place of rows * cols. */
static void multiply_transposed(float *out, const float *x, const Weight *w,
                                const float *bias, size_t n) {
    Weight a = factor_a(w), b = factor_b(w);
    float *inner = checked_alloc(size_mul(n, b.rows), sizeof *inner);
    weight_multiply_transposed(inner, x, &b, NULL, n);
    weight_multiply_transposed(out, inner, &a, bias, n);
    free(inner);
}

const WeightType weight_low_rank = {.name = "LOW_RANK",
                                    .bytes = bytes_low_rank,
                                    .read = read_low_rank,
                                    .block = 1,
                                    .multiply_transposed = multiply_transposed,
                                    .most = SIZE_MAX};
