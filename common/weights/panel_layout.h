/* The layout of a panel of weight_packed.c, how it is filled, and how a row is read
 * from it.
 *
 * A panel has PANEL rows of the weight, which are outputs. Floats, and numbers of 16
 * bits: those of the panel's rows in column 0, then in column 1, and so on. Blocks of
 * whole numbers, of WIDE rows: the scales of the rows (of Q4_1 then the minimum of
 * each), then words of 32 bits, each with the next 8 or 4 columns of a row. */
#ifndef WEIGHTS_PANEL_LAYOUT_H
#define WEIGHTS_PANEL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __F16C__
#include <immintrin.h>
#endif

#include "base/memory.h"
#include "kernels/matmul_pack.h"
#include "math/half.h"
#include "weights/weight.h"

enum {
    PANEL = TILE_COLUMNS,
    WIDE = 4 * SIMD_WIDTH, /* for whole numbers: enough vectors of sums that none waits
                            * for the one before it, and scales that fill whole lines
                            * of the cache, so that no word behind them lies in two */
    PANELS_AHEAD = 1024,   /* bytes: see panel_prefetch, */
    PANEL_TURN = 1024,     /* and dot_in_turns */
    PANELS_SERIAL = 1 << 17, /* multiply-adds that are not worth a second thread */
};

#define ALWAYS static inline __attribute__((always_inline))

/* Prefetches the bytes that are read soon into the second cache. A processor looks
 * ahead by itself as well, and this must not come in its way. On a Zen 4, of one
 * thread's memory bandwidth, products of 4 bits in whole numbers read 0.95 so, 0.7 when
 * they ask for the first cache at any distance, and 0.45 for 3 kB ahead with vectors of
 * AVX2. */
ALWAYS void panel_prefetch(const char *at) {
    __builtin_prefetch(at + PANELS_AHEAD, 0, 2);
}

typedef uint32_t Words __attribute__((vector_size(SIMD_WIDTH * sizeof(uint32_t))));

/* half_to_float of half.h for a vector of them, with the processor's own instruction
 * where it has one. */
#if defined(__F16C__) && SIMD_WIDTH == 16
ALWAYS Floats halves_to_floats(const char *from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)from));
}
#elif defined(__F16C__) && SIMD_WIDTH == 8
ALWAYS Floats halves_to_floats(const char *from) {
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)from));
}
#else
ALWAYS Floats halves_to_floats(const char *from) {
    float floats[SIMD_WIDTH];
    for (size_t i = 0; i < SIMD_WIDTH; i++) {
        uint16_t half;
        memcpy(&half, from + i * sizeof half, sizeof half);
        floats[i] = half_to_float(half);
    }
    return floats_load(floats);
}
#endif

/* sums [n_panels][width] += n pieces of each of a thread's panels, times the parts of a
 * vector that belong to them: x, as the kind of product has it. */
typedef float PanelSums[WIDE];
typedef void PanelDot(PanelSums *sums, const void *x, const char *const *panels,
                      size_t n_panels, size_t n);

/* The same of one panel. */
typedef void PieceDot(float *sums, const void *x, const char *pieces, size_t n);

/* A PanelDot from a PieceDot: a kilobyte of one panel, then of the next. x_bytes and
 * bytes: the bytes of a piece in the vector and in a panel. */
ALWAYS void dot_in_turns(PanelSums *sums, const char *x, const char *const *panels,
                         size_t n_panels, size_t n, PieceDot *dot, size_t x_bytes,
                         size_t bytes) {
    const size_t turn = bytes < PANEL_TURN ? PANEL_TURN / bytes : 1;
    for (size_t k = 0; k < n; k += turn) {
        const size_t count = turn < n - k ? turn : n - k;
        for (size_t p = 0; p < n_panels; p++)
            dot(sums[p], x + k * x_bytes, panels[p] + k * bytes, count);
    }
}
#define PANEL_DOT(name, piece_dot, x_bytes, bytes)                                     \
    static void name(PanelSums *sums, const void *x, const char *const *panels,        \
                     size_t n_panels, size_t n) {                                      \
        dot_in_turns(sums, x, panels, n_panels, n, piece_dot, x_bytes, bytes);         \
    }

typedef struct {
    WeightType type; /* first, so that a pointer to it is one to this */
    size_t width;    /* rows of a panel */
    size_t piece;    /* columns that lie together, */
    size_t bytes;    /* and what a panel has of them */
    /* Rows first .. first + rows of a weight as it was. */
    void (*pack)(char *panel, const Weight *from, size_t first, size_t rows);
    /* n pieces as floats, out [n * piece, width]; NULL: they are floats. */
    void (*expand)(float *out, const char *pieces, size_t n);
    PanelDot *dot;
} PanelType;

static inline const PanelType *panel_type(const Weight *w) {
    return (const PanelType *)(const void *)w->type;
}

static inline size_t panel_bytes(const PanelType *t, const Weight *w) {
    return size_mul(w->cols / t->piece, t->bytes);
}

/* Bytes of all panels of the weight. */
size_t panels_bytes(const Weight *w);

/* Rows that a thread takes at a time for few vectors: long sequential reads are
 * fastest, and each thread takes several stretches, so that one that is held up leaves
 * the rest to others. */
size_t panel_stretch(const Weight *w);

/* out [rows] = bias, or 0 (NULL), + all panels times one vector. */
typedef struct {
    float *out;
    const Weight *w;
    const void *x;
    const float *bias;
} PanelProduct;
void panels_dot(const PanelProduct *product);

/* The start of the panel of a row. */
static inline const char *panel_at(const Weight *w, size_t row) {
    const PanelType *t = panel_type(w);
    return (const char *)w->data + row / t->width * panel_bytes(t, w);
}

/* The `read` functions of WeightType. */
void panel_read_f32(float *out, const Weight *w, size_t row, size_t first, size_t n);
void panel_read_f16(float *out, const Weight *w, size_t row, size_t first, size_t n);
void panel_read_bf16(float *out, const Weight *w, size_t row, size_t first, size_t n);
void panel_read_q8_0(float *out, const Weight *w, size_t row, size_t first, size_t n);
void panel_read_q4_0(float *out, const Weight *w, size_t row, size_t first, size_t n);
void panel_read_q4_1(float *out, const Weight *w, size_t row, size_t first, size_t n);

/* The `pack` functions of PanelType; the first two for numbers of 32 and of 16 bits. */
void panel_pack_32(char *panel, const Weight *from, size_t first, size_t rows);
void panel_pack_16(char *panel, const Weight *from, size_t first, size_t rows);
void panel_pack_q8_0(char *panel, const Weight *from, size_t first, size_t rows);
void panel_pack_q4_0(char *panel, const Weight *from, size_t first, size_t rows);
void panel_pack_q4_1(char *panel, const Weight *from, size_t first, size_t rows);

#endif
