/* Codebooks: see kmeans.h. */
#include "14-compression/kmeans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "14-compression/stream.h"
#include "math/half.h"
#include "base/memory.h"

/* --- Lloyd's iteration in one dimension: the numbers of a centre are a stretch of the
 * sorted ones --- */

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* How many of the sorted x [n] are below `bound`. */
static size_t count_below(const float *x, size_t n, float bound) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (x[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void kmeans_centres(float *centres, size_t k, const float *x, size_t n) {
    enum { MOST_ROUNDS = 200 };
    float *sorted = checked_alloc(n, sizeof *sorted);
    double *sums = checked_alloc(n + 1, sizeof *sums); /* of the first i numbers */
    memcpy(sorted, x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 0; i < n; i++) sums[i + 1] = sums[i] + (double)sorted[i];
    for (size_t c = 0; c < k; c++) centres[c] = sorted[(2 * c + 1) * n / (2 * k)];
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool moved = false;
        for (size_t c = 0, begin = 0; c < k; c++) {
            size_t end =
                c + 1 < k ? count_below(sorted, n, 0.5f * (centres[c] + centres[c + 1]))
                          : n;
            if (end > begin) { /* a centre that no number is near stays where it is */
                float mean = (float)((sums[end] - sums[begin]) / (double)(end - begin));
                moved = moved || mean != centres[c];
                centres[c] = mean;
                begin = end;
            }
        }
        if (!moved) break;
    }
    free(sorted);
    free(sums);
}

/* --- the coded matrix: codebooks, then the numbers of the centres, each row from a
 * byte on --- */

enum { MOST_SAMPLES = 1 << 16 };

typedef struct {
    unsigned bits;
    size_t books, book_bytes, row_bytes;
    const uint8_t *at; /* the first book */
} Layout;

static Layout layout_of(const Weight *w, bool by_row) {
    unsigned bits = stream_parameter(w->data);
    return (Layout){.bits = bits,
                    .books = by_row ? w->rows : 1,
                    .book_bytes = sizeof(uint16_t) << bits,
                    .row_bytes = (w->cols * bits + 7) / 8,
                    .at = (const uint8_t *)w->data + STREAM_HEAD};
}

static size_t layout_bytes(const Weight *w, const Layout *l) {
    return STREAM_HEAD + size_mul(l->books, l->book_bytes) +
           size_mul(w->rows, l->row_bytes);
}

/* The nearest centre of ascending ones. */
static uint32_t nearest(const float *centres, size_t k, float x) {
    uint32_t best = 0;
    for (size_t c = 1; c < k; c++) {
        if (fabsf(x - centres[c]) < fabsf(x - centres[best])) best = (uint32_t)c;
    }
    return best;
}

/* A codebook of rows x [n] at `book`, as float16; what these are as floats goes to
 * `centres`. */
static void make_book(uint8_t *book, float *centres, size_t k, const float *x,
                      size_t n) {
    size_t step = n / MOST_SAMPLES + 1, samples = (n + step - 1) / step;
    float *some = checked_alloc(samples, sizeof *some);
    for (size_t i = 0; i < samples; i++) some[i] = x[i * step];
    kmeans_centres(centres, k, some, samples);
    free(some);
    for (size_t c = 0; c < k; c++) {
        half_put(book, c, float_to_half(centres[c]));
        centres[c] = half_to_float(half_at(book, c));
    }
}

static void *encode(const Matrix *m, double bits, bool by_row) {
    size_t k = (size_t)1 << (unsigned)bits;
    Weight w = {.data = &(uint32_t){(uint32_t)bits}, .rows = m->rows, .cols = m->cols};
    Layout l = layout_of(&w, by_row);
    uint8_t *stream = checked_alloc(layout_bytes(&w, &l), 1);
    stream_begin(stream, (uint32_t)bits);
    uint8_t *books = stream + STREAM_HEAD, *rows = books + l.books * l.book_bytes;
    float shared[1 << KMEANS_MOST_BITS];
    if (!by_row) make_book(books, shared, k, m->data, m->rows * m->cols);
#pragma omp parallel for schedule(dynamic)
    for (size_t r = 0; r < m->rows; r++) {
        const float *row = m->data + r * m->cols;
        float own[1 << KMEANS_MOST_BITS];
        if (by_row) make_book(books + r * l.book_bytes, own, k, row, m->cols);
        for (size_t c = 0; c < m->cols; c++)
            bits_put(rows + r * l.row_bytes, c, l.bits,
                     nearest(by_row ? own : shared, k, row[c]));
    }
    return stream;
}

void *kmeans_encode(const Matrix *m, double bits) {
    return encode(m, bits, false);
}

void *kmeans_encode_rows(const Matrix *m, double bits) {
    return encode(m, bits, true);
}

static void read_part(float *out, const Weight *w, size_t row, size_t first, size_t n,
                      bool by_row) {
    Layout l = layout_of(w, by_row);
    const uint8_t *book = l.at + (by_row ? row * l.book_bytes : 0);
    const uint8_t *codes = l.at + l.books * l.book_bytes + row * l.row_bytes;
    for (size_t i = 0; i < n; i++)
        out[i] = half_to_float(half_at(book, bits_get(codes, first + i, l.bits)));
}

static void read_shared(float *out, const Weight *w, size_t row, size_t first,
                        size_t n) {
    read_part(out, w, row, first, n, false);
}

static void read_rows(float *out, const Weight *w, size_t row, size_t first, size_t n) {
    read_part(out, w, row, first, n, true);
}

static size_t bytes_shared(const Weight *w) {
    Layout l = layout_of(w, false);
    return layout_bytes(w, &l);
}

static size_t bytes_rows(const Weight *w) {
    Layout l = layout_of(w, true);
    return layout_bytes(w, &l);
}

const WeightType weight_kmeans = {
    .name = "KMEANS", .bytes = bytes_shared, .read = read_shared, .block = 1};
const WeightType weight_kmeans_rows = {
    .name = "KMEANS_ROWS", .bytes = bytes_rows, .read = read_rows, .block = 1};
