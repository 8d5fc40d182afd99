/* Products of blocks in whole numbers: see panel_integers.h. Compiled with matmul.c's
 * flags.
 *
 * A lane is a row of the weight. Its words have four or eight columns each, and the
 * vector's four numbers of 8 bits that belong to them are the same for all lanes. */
#include "weights/panel_integers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/memory.h"
#include "kernels/matmul_tile.h"
#include "kernels/threads.h"
#include "math/half.h"
#include "weights/weight_blocks.h"

typedef int32_t Ints __attribute__((vector_size(SIMD_WIDTH * sizeof(int32_t))));

/* --- four products of bytes, added up in each lane --- */

/* sums + the products of a word's bytes, without a sign, and of x's, with one. As
 * instructions have it: */
#if defined(__AVX512VNNI__) && SIMD_WIDTH == 16
#define HAVE_DOT
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    return (Ints)_mm512_dpbusd_epi32((__m512i)sums, (__m512i)bytes, (__m512i)x);
}
#elif defined(__AVXVNNI__) && SIMD_WIDTH == 8
#define HAVE_DOT
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    return (Ints)_mm256_dpbusd_avx_epi32((__m256i)sums, (__m256i)bytes, (__m256i)x);
}

/* Products of 16 bits, of which neighbours are added: even bytes, and odd ones. */
#elif (defined(__AVX512BW__) && SIMD_WIDTH == 16) ||                                   \
    (defined(__AVX2__) && SIMD_WIDTH == 8) || (defined(__SSE2__) && SIMD_WIDTH == 4)
#if SIMD_WIDTH == 16
#define MULTIPLY_PAIRS(a, b) (Ints) _mm512_madd_epi16((__m512i)(a), (__m512i)(b))
#elif SIMD_WIDTH == 8
#define MULTIPLY_PAIRS(a, b) (Ints) _mm256_madd_epi16((__m256i)(a), (__m256i)(b))
#else
#define MULTIPLY_PAIRS(a, b) (Ints) _mm_madd_epi16((__m128i)(a), (__m128i)(b))
#endif
typedef int16_t Shorts __attribute__((vector_size(SIMD_WIDTH * sizeof(int32_t))));
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    const uint32_t even = 0x00ff00ff;
    sums += MULTIPLY_PAIRS(bytes & even, (Shorts)(x << 8) >> 8);
    return sums + MULTIPLY_PAIRS(bytes >> 8 & even, (Shorts)x >> 8);
}

/* Portable. */
#else
ALWAYS Ints dot_bytes(Ints sums, Words bytes, Words x) {
    UNROLL
    for (int j = 0; j < 4; j++) {
        Ints of_x = (Ints)(x << (24 - 8 * j)) >> 24;
        sums += (Ints)(bytes >> 8 * j & 0xff) * of_x;
    }
    return sums;
}
#endif

/* The same for the two halves of each byte, the lower ones with x[0]. Where bytes have
 * to be multiplied in 16 bits, sums of one block stay there until whole_of: a number of
 * 16 bits has at most 16 products of 15 and 127, which is less than 2^15. */
ALWAYS Ints dot_halves(Ints sums, Words word, const Words x[2]) {
    const uint32_t low = 0x0f0f0f0f;
    Words lower = word & low, upper = word >> 4 & low;
#if defined(__AVX2__) && SIMD_WIDTH == 8 && !defined(HAVE_DOT)
    __m256i pairs = _mm256_add_epi16(
        (__m256i)sums, _mm256_maddubs_epi16((__m256i)lower, (__m256i)x[0]));
    return (Ints)_mm256_add_epi16(pairs,
                                  _mm256_maddubs_epi16((__m256i)upper, (__m256i)x[1]));
#else
    return dot_bytes(dot_bytes(sums, lower, x[0]), upper, x[1]);
#endif
}
ALWAYS Ints whole_of(Ints sums) {
#if defined(__AVX2__) && SIMD_WIDTH == 8 && !defined(HAVE_DOT)
    return MULTIPLY_PAIRS(sums, _mm256_set1_epi16(1));
#else
    return sums;
#endif
}

/* --- vectors in blocks --- */

/* 32 numbers of a vector in the order of the words of a panel. */
typedef struct {
    float scale;
    int32_t sum;
    uint32_t words[BLOCK / 4];
} Inputs;

/* Words of four columns have them as they come; of eight, the even ones in the lower
 * halves of their bytes and the odd ones in the upper. */
static void code_block(Inputs *out, const float x[BLOCK], int bits) {
    BlockQ8_0 block;
    int8_t ordered[BLOCK];
    block_of_inputs(&block, x);
    out->scale = half_to_float(block.scale);
    out->sum = 0;
    for (int i = 0; i < BLOCK; i++) out->sum += block.q[i];
    memcpy(ordered, block.q, sizeof ordered);
    for (int i = 0; i < BLOCK && bits == 4; i += 8) {
        UNROLL
        for (int j = 0; j < 4; j++) {
            ordered[i + j] = block.q[i + 2 * j];
            ordered[i + 4 + j] = block.q[i + 2 * j + 1];
        }
    }
    memcpy(out->words, ordered, sizeof ordered);
}

/* x [n, cols], in new memory. */
static Inputs *code_inputs(const float *x, size_t n, size_t cols, int bits) {
    size_t n_blocks = size_mul(n, cols / BLOCK);
    Inputs *inputs = checked_aligned_alloc(n_blocks, sizeof *inputs);
#pragma omp parallel for if (n > 1 && n * cols > PANELS_SERIAL)
    for (size_t b = 0; b < n_blocks; b++) code_block(inputs + b, x + b * BLOCK, bits);
    return inputs;
}

/* --- a panel --- */

ALWAYS Words words_all(uint32_t x) {
    return x - (Words){0};
}

/* out [WIDE] += n blocks of a panel times those of a vector. */
ALWAYS void dot_blocks(float *out, const Inputs *x, const char *pieces, size_t n,
                       const int bits, const bool has_min) {
    enum { VECTORS = WIDE / SIMD_WIDTH, WORD = sizeof(uint32_t) };
    const size_t halves = WIDE * sizeof(uint16_t);
    const int32_t middle = has_min ? 0 : 1 << (bits - 1);
    Floats sums[VECTORS];
    UNROLL
    for (size_t v = 0; v < VECTORS; v++) sums[v] = floats_load(out + v * SIMD_WIDTH);
    for (size_t b = 0; b < n; b++, x++) {
        const char *words = pieces + halves * (has_min ? 2 : 1);
        const Ints offset = (Ints)words_all((uint32_t)(-middle * x->sum));
        Ints of_block[VECTORS] = {{0}};
        UNROLL
        for (int w = 0; w < bits; w++) {
            Words of_x[2] = {words_all(x->words[bits == 8 ? w : 2 * w])};
            if (bits == 4) of_x[1] = words_all(x->words[2 * w + 1]);
            UNROLL
            for (size_t v = 0; v < VECTORS; v++) {
                Words word;
                memcpy(&word, words, sizeof word);
                panel_prefetch(words);
                words += sizeof word;
                of_block[v] = bits == 8 ? dot_bytes(of_block[v], word, of_x[0])
                                        : dot_halves(of_block[v], word, of_x);
            }
        }
        UNROLL
        for (size_t v = 0; v < VECTORS; v++) {
            const char *scales = pieces + v * SIMD_WIDTH * sizeof(uint16_t);
            Floats scale = halves_to_floats(scales) * x->scale;
            Ints whole = offset + (bits == 8 ? of_block[v] : whole_of(of_block[v]));
            sums[v] = floats_multiply_add(__builtin_convertvector(whole, Floats), scale,
                                          sums[v]);
            if (has_min)
                sums[v] =
                    multiply_add((float)x->sum,
                                 halves_to_floats(scales + halves) * x->scale, sums[v]);
        }
        pieces = words;
    }
    UNROLL
    for (size_t v = 0; v < VECTORS; v++) floats_store(out + v * SIMD_WIDTH, sums[v]);
}

ALWAYS void blocks_q8_0(float *out, const void *x, const char *pieces, size_t n) {
    dot_blocks(out, x, pieces, n, 8, false);
}
PANEL_DOT(dot_q8_0, blocks_q8_0, sizeof(Inputs), WIDE * sizeof(BlockQ8_0))
ALWAYS void blocks_q4_0(float *out, const void *x, const char *pieces, size_t n) {
    dot_blocks(out, x, pieces, n, 4, false);
}
PANEL_DOT(dot_q4_0, blocks_q4_0, sizeof(Inputs), WIDE * sizeof(BlockQ4_0))
ALWAYS void blocks_q4_1(float *out, const void *x, const char *pieces, size_t n) {
    dot_blocks(out, x, pieces, n, 4, true);
}
PANEL_DOT(dot_q4_1, blocks_q4_1, sizeof(Inputs), WIDE * sizeof(BlockQ4_1))

/* --- products --- */

/* The panel that begins with row `first`, times n vectors. */
static void multiply_panel(float *out, const Inputs *x, const Weight *w,
                           const float *bias, size_t n, size_t first, const char *panel,
                           PanelDot *dot) {
    size_t rows = w->rows - first < WIDE ? w->rows - first : WIDE,
           blocks = w->cols / BLOCK;
    for (size_t i = 0; i < n; i++) {
        PanelSums sums[1] = {{0}};
        float *to = out + i * w->rows + first;
        dot(sums, x + i * blocks, &panel, 1, blocks);
        for (size_t r = 0; r < rows; r++)
            to[r] = bias ? sums[0][r] + bias[first + r] : sums[0][r];
    }
}

/* w is in panels or, as a file has it, becomes one after the other here. Threads take
 * stretches that become shorter, as in weight_packed.c. */
static void multiply(float *out, const float *x, const Weight *w, const float *bias,
                     size_t n, int bits) {
    const PanelType *t = integer_panels(w->type);
    const bool filed = w->type != &t->type;
    Inputs *inputs = code_inputs(x, n, w->cols, bits);
    if (n == 1 && !filed) {
        panels_dot(&(PanelProduct){out, w, inputs, NULL});
        for (size_t r = 0; r < w->rows && bias; r++) out[r] += bias[r];
        free(inputs);
        return;
    }
#pragma omp parallel for schedule(guided) if (n * w->rows * w->cols > PANELS_SERIAL)
    for (size_t row = 0; row < w->rows; row += WIDE) {
        size_t rows = w->rows - row < WIDE ? w->rows - row : WIDE;
        char *made = filed ? checked_alloc(panel_bytes(t, w), 1) : NULL;
        if (made) t->pack(made, w, row, rows);
        multiply_panel(out, inputs, w, bias, n, row, made ? made : panel_at(w, row),
                       t->dot);
        free(made);
    }
    free(inputs);
}

/* --- the kinds --- */

/* A type as files have it and in panels. The former reads as that without whole numbers
 * does. */
#define KIND(text, name, bits, Block)                                                  \
    static size_t bytes_##name(const Weight *w) {                                      \
        return weight_##name.bytes(w);                                                 \
    }                                                                                  \
    static void read_##name(float *out, const Weight *w, size_t row, size_t first,     \
                            size_t n) {                                                \
        weight_##name.read(out, w, row, first, n);                                     \
    }                                                                                  \
    static void multiply_##name(float *out, const float *x, const Weight *w,           \
                                const float *bias, size_t n) {                         \
        multiply(out, x, w, bias, n, bits);                                            \
    }                                                                                  \
    static const WeightType filed_##name = {text, bytes_##name,    read_##name, BLOCK, \
                                            NULL, multiply_##name, SIZE_MAX};          \
    static const PanelType panels_##name = {.type = {text " in panels", panels_bytes,  \
                                                     panel_read_##name, BLOCK, NULL,   \
                                                     multiply_##name, SIZE_MAX},       \
                                            .width = WIDE,                             \
                                            .piece = BLOCK,                            \
                                            .bytes = WIDE * sizeof(Block),             \
                                            .pack = panel_pack_##name,                 \
                                            .dot = dot_##name};
KIND("Q8_0", q8_0, 8, BlockQ8_0)
KIND("Q4_0", q4_0, 4, BlockQ4_0)
KIND("Q4_1", q4_1, 4, BlockQ4_1)

static const struct {
    const WeightType *of_floats, *filed;
    const PanelType *panels;
} kinds[] = {{&weight_q8_0, &filed_q8_0, &panels_q8_0},
             {&weight_q4_0, &filed_q4_0, &panels_q4_0},
             {&weight_q4_1, &filed_q4_1, &panels_q4_1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

bool weight_use_integers(Weight *w) {
    for (size_t i = 0; i < KINDS; i++) {
        if (w->type == kinds[i].of_floats) w->type = kinds[i].filed;
    }
    return integer_panels(w->type) != NULL;
}

const PanelType *integer_panels(const WeightType *type) {
    for (size_t i = 0; i < KINDS; i++) {
        if (type == kinds[i].filed || type == &kinds[i].panels->type)
            return kinds[i].panels;
    }
    return NULL;
}
