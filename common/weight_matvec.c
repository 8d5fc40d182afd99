/* Products with blocks of whole numbers, in registers: see weight_matvec.h. Compiled with matmul.c's flags.
 *
 * The sum of an output is one chain of multiply-adds in the order of the columns, so the lanes of a vector
 * are outputs: as many rows of the weight. A square of their bytes, SIMD_WIDTH groups of four from each row,
 * is transposed; then each vector holds four columns of the rows, and shifts take them apart. Two such strips
 * of rows go side by side, because a multiply-add waits for the one before it. */
#include "weight_matvec.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "matmul_pack.h"
#include "matmul_tile.h"
#include "simd.h"
#include "weight_blocks.h"

enum {
    STRIPS = 2,
    STRIP_ROWS = STRIPS * SIMD_WIDTH, /* rows at a time; the next so many are fetched meanwhile */
    SERIAL = 1 << 17,                 /* weights that are not worth a second thread */
};

/* How a kind lies in memory: each block is a scale, then columns of `bits` bits. */
typedef struct {
    size_t bits, block_bytes;
} Layout;

typedef struct {
    float *out;     /* of the first of these rows */
    size_t out_row; /* from one vector's outputs to the next */
    const float *x;
    const char *rows;
    size_t row_bytes, blocks;
    bool accumulate;
} Strip;

typedef int Ints __attribute__((vector_size(SIMD_WIDTH * sizeof(int))));
typedef uint32_t Words __attribute__((vector_size(SIMD_WIDTH * sizeof(uint32_t))));
typedef float Four __attribute__((vector_size(16)));
typedef float Eight __attribute__((vector_size(32)));

#define ALWAYS static inline __attribute__((always_inline))

/* SIMD_WIDTH floats' worth of bytes from pieces of 16 or 32 bytes that are `step` apart; zeros for pieces
 * that are not there. */
#if SIMD_WIDTH > 4 && __has_builtin(__builtin_shufflevector)
ALWAYS Four load_four(const char *from, bool there) {
    Four v = {0};
    if (there) memcpy(&v, from, sizeof v);
    return v;
}
ALWAYS Eight load_eight(const char *from, bool there) {
    Eight v = {0};
    if (there) memcpy(&v, from, sizeof v);
    return v;
}
ALWAYS Eight two_fours(const char *from, size_t step, size_t there) {
    Four a = load_four(from, there > 0), b = load_four(from + step, there > 1);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
#if SIMD_WIDTH == 16
ALWAYS Floats join(Eight a, Eight b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
ALWAYS Floats load_pieces(const char *from, size_t piece, size_t step, size_t there) {
    if (piece == 32) return join(load_eight(from, there > 0), load_eight(from + step, there > 1));
    return join(two_fours(from, step, there), two_fours(from + 2 * step, step, there > 2 ? there - 2 : 0));
}
#else
ALWAYS Floats load_pieces(const char *from, size_t piece, size_t step, size_t there) {
    return piece == 32 ? load_eight(from, there > 0) : two_fours(from, step, there);
}
#endif
#else
ALWAYS Floats load_pieces(const char *from, size_t piece, size_t step, size_t there) {
    char bytes[sizeof(Floats)] = {0};
    size_t n = piece < sizeof bytes ? piece : sizeof bytes;
    for (size_t p = 0; p * n < sizeof bytes && p < there; p++) memcpy(bytes + p * n, from + p * step, n);
    Floats v;
    memcpy(&v, bytes, sizeof v);
    return v;
}
#endif

/* half_to_float of half.h for a vector of them. */
ALWAYS Floats halves_to_floats(Ints halves) {
    const int rebias = 112 << 23, infinite = 31 << 23, normal = 1 << 23;
    Ints magnitude = (halves & 0x7fff) << 13;
    Ints bits = magnitude + rebias + ((magnitude >= infinite) & rebias);
    Ints small = (Ints)((Floats)(magnitude + (113 << 23)) - 0x1p-14f), is_small = magnitude < normal;
    return (Floats)(((is_small & small) | (~is_small & bits)) | (halves & 0x8000) << 16);
}

/* The scales of one block in each of SIMD_WIDTH rows. */
ALWAYS Floats load_scales(const char *block, size_t row_bytes) {
    int halves[SIMD_WIDTH];
    UNROLL for (size_t r = 0; r < SIMD_WIDTH; r++) {
        uint16_t half;
        memcpy(&half, block + r * row_bytes, sizeof half);
        halves[r] = half;
    }
    Ints all;
    memcpy(&all, halves, sizeof all);
    return halves_to_floats(all);
}

/* One of the columns in each lane's four bytes: scale * q. The bits of q + zero, moved to the top of a
 * float's fraction, make the float 1 + (q + zero) / 2^bits, with zero = 2^bits / 2; so scale * q is 2^bits
 * scale times that, less 1.5 times 2^bits scale. All of it is exact, and shorter than a conversion. */
ALWAYS Floats column(Words bytes, size_t byte, size_t bits, Floats big_scale, Floats offset) {
    const int move = 23 - (int)bits - 8 * (int)byte;
    const uint32_t one = 127u << 23, mask = ((1u << bits) - 1) << (23 - bits);
    Words moved = move > 0 ? bytes << move : bytes >> -move;
    return big_scale * (Floats)((moved & mask) | one) - offset;
}

/* Adds the columns that `words` vectors of a transposed square hold: all of each byte, or its lower bits. */
ALWAYS void add_columns(Floats sums[STRIPS][MATVEC_MOST], Words squares[STRIPS][SIMD_WIDTH],
                        const Floats scales[STRIPS], const float *x, size_t x_row, size_t from, size_t words,
                        size_t upper, size_t bits, size_t n) {
    const float big = bits == 8 ? 256 : 16;
    Floats big_scales[STRIPS], offsets[STRIPS];
    UNROLL for (size_t s = 0; s < STRIPS; s++) {
        big_scales[s] = scales[s] * big;
        offsets[s] = big_scales[s] * 1.5f;
    }
    for (size_t w = 0; w < words; w++) {
        Words bytes[STRIPS];
        UNROLL for (size_t s = 0; s < STRIPS; s++) { /* 8 bits have a sign: + 128 turns it over */
            Words v = squares[s][from + w];
            bytes[s] = bits == 8 ? v ^ 0x80808080u : v >> (int)(4 * upper);
        }
        UNROLL for (size_t byte = 0; byte < 4; byte++) {
            UNROLL for (size_t s = 0; s < STRIPS; s++) {
                Floats weight = column(bytes[s], byte, bits, big_scales[s], offsets[s]);
                UNROLL for (size_t i = 0; i < n; i++) sums[s][i] =
                    multiply_add(x[i * x_row + 4 * w + byte], weight, sums[s][i]);
            }
        }
    }
}

/* `there` of the blocks that fill a square (of those of a Q8_0 in vectors of four: the square fills half a
 * block, so there are two squares a block). x: of the first column. */
ALWAYS void add_square(Floats sums[STRIPS][MATVEC_MOST], const Strip *t, const float *x, size_t x_row,
                       size_t first, size_t there, Layout l, size_t n) {
    const size_t piece = 4 * l.bits, words = piece / 4 < SIMD_WIDTH ? piece / 4 : SIMD_WIDTH;
    const size_t per_block = piece / 4 / words;
    for (size_t part = 0; part < per_block; part++) {
        Words squares[STRIPS][SIMD_WIDTH];
        UNROLL for (size_t s = 0; s < STRIPS; s++) {
            const char *q =
                t->rows + s * SIMD_WIDTH * t->row_bytes + first * l.block_bytes + 2 + part * words * 4;
            Floats square[SIMD_WIDTH];
            UNROLL for (size_t r = 0; r < SIMD_WIDTH; r++) {
                square[r] = load_pieces(q + r * t->row_bytes, piece, l.block_bytes, there);
                __builtin_prefetch(q + (r + STRIP_ROWS) * t->row_bytes);
            }
            transpose_square(square);
            UNROLL for (size_t r = 0; r < SIMD_WIDTH; r++) squares[s][r] = (Words)square[r];
        }
        for (size_t b = 0; b < there; b++) {
            Floats scales[STRIPS];
            UNROLL for (size_t s = 0; s < STRIPS; s++) scales[s] = load_scales(
                t->rows + s * SIMD_WIDTH * t->row_bytes + (first + b) * l.block_bytes, t->row_bytes);
            for (size_t upper = 0; upper < 8 / l.bits; upper++) {
                const float *from = x + b * BLOCK + upper * BLOCK / 2 + part * words * 4;
                add_columns(sums, squares, scales, from, x_row, b * words, words, upper, l.bits, n);
            }
        }
    }
}

ALWAYS void multiply_strips(const Strip *t, Layout l, size_t n) {
    const size_t piece_words = l.bits, per_square = piece_words < SIMD_WIDTH ? SIMD_WIDTH / piece_words : 1;
    const size_t x_row = t->blocks * BLOCK;
    Floats sums[STRIPS][MATVEC_MOST];
    UNROLL for (size_t s = 0; s < STRIPS; s++) {
        UNROLL for (size_t i = 0; i < n; i++) sums[s][i] =
            t->accumulate ? floats_load(t->out + i * t->out_row + s * SIMD_WIDTH) : (Floats){0};
    }
    size_t b = 0;
    for (; b + per_square <= t->blocks; b += per_square)
        add_square(sums, t, t->x + b * BLOCK, x_row, b, per_square, l, n);
    if (b < t->blocks) add_square(sums, t, t->x + b * BLOCK, x_row, b, t->blocks - b, l, n);
    UNROLL for (size_t s = 0; s < STRIPS; s++) {
        UNROLL for (size_t i = 0; i < n; i++)
            floats_store(t->out + i * t->out_row + s * SIMD_WIDTH, sums[s][i]);
    }
}

/* The last rows, fewer than the strips have. */
static void multiply_rest(const Strip *t, const Weight *w, size_t row, size_t rows, size_t n) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < n; i++) {
            float *out = t->out + i * t->out_row + r, sum = t->accumulate ? *out : 0.0f, part[BLOCK];
            for (size_t b = 0; b < t->blocks; b++) {
                w->type->read(part, w, row + r, b * BLOCK, BLOCK);
                for (size_t k = 0; k < BLOCK; k++)
                    sum = fmaf(t->x[(i * t->blocks + b) * BLOCK + k], part[k], sum);
            }
            *out = sum;
        }
    }
}

/* Rows row .. row + rows of the weight: at most STRIP_ROWS. n is a constant where this is called. */
ALWAYS void multiply_rows(Strip t, const Weight *w, Layout l, size_t row, size_t rows, size_t n) {
    t.out += row;
    t.rows += row * t.row_bytes;
    if (rows == STRIP_ROWS)
        multiply_strips(&t, l, n);
    else
        multiply_rest(&t, w, row, rows, n);
}

ALWAYS void matvec(float *out, const float *x, const Weight *w, size_t n, bool accumulate, Layout l) {
    size_t blocks = w->cols / BLOCK;
    Strip t = {out, w->rows, x, w->data, blocks * l.block_bytes, blocks, accumulate};
#pragma omp parallel for schedule(dynamic) if (w->rows * w->cols > SERIAL)
    for (size_t row = 0; row < w->rows; row += STRIP_ROWS) {
        size_t rows = w->rows - row < STRIP_ROWS ? w->rows - row : STRIP_ROWS;
        if (n == 1) multiply_rows(t, w, l, row, rows, 1);
        if (n == MATVEC_MOST) multiply_rows(t, w, l, row, rows, MATVEC_MOST);
    }
}

void matvec_q8_0(float *out, const float *x, const Weight *w, size_t n, bool accumulate) {
    matvec(out, x, w, n, accumulate, (Layout){8, sizeof(BlockQ8_0)});
}

void matvec_q4_0(float *out, const float *x, const Weight *w, size_t n, bool accumulate) {
    matvec(out, x, w, n, accumulate, (Layout){4, sizeof(BlockQ4_0)});
}
